//! Figures as SVG text, read back.

use super::*;

/// The points of all lines of a colour, dashes and all.
pub(crate) fn lines(svg: &str, color: &str) -> Vec<Vec<(i32, i32)>> {
    let of_color = |line: &&str| line.starts_with("<polyline") && line.contains(color);
    let points = |line: &str| -> Vec<(i32, i32)> {
        let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let pair = |pair: &str| {
            let (x, y) = pair.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        points.split_whitespace().map(pair).collect()
    };
    svg.lines().filter(of_color).map(points).collect()
}

/// The value of an attribute of each element of this name.
pub(crate) fn attributes<'s>(svg: &'s str, element: &str, name: &str) -> Vec<&'s str> {
    let start = format!("<{element} ");
    let value = |line: &'s str| line.split(&format!(" {name}=\"")).nth(1)?.split('"').next();
    svg.lines().filter(|line| line.starts_with(&start)).filter_map(value).collect()
}

/// Strokes of crosses, two each.
pub(crate) fn strokes(svg: &str) -> usize {
    let is_grid = |line: &str| line.contains("#E2E2E2");
    svg.lines().filter(|line| line.starts_with("<line ") && !is_grid(line)).count()
}

/// The texts.
pub(crate) fn texts(svg: &str) -> Vec<&str> {
    let mut lines = svg.lines();
    let mut texts = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("<text") {
            texts.extend(lines.next());
        }
    }
    texts
}

fn facets(panels: usize) -> Facets {
    let panel = |at: usize| Panel {
        title: format!("puzzle {at}"),
        layers: vec![(1, PlotMark::Line(vec![(0.0, 0.0), (5.0, 40.0), (10.0, 20.0)]))],
        note: String::new(),
    };
    Facets {
        title: "A title".to_owned(),
        caption: "What it is.".to_owned(),
        x: Axis::linear("generation", 10.0),
        y: Axis::linear("fitness", 40.0),
        panels: (0..panels).map(panel).collect(),
        legend: (0..12).map(|number| (number, format!("method {number}"))).collect(),
    }
}

#[test]
fn every_panel_has_its_line_its_title_and_its_own_marks() {
    for panels in [1, 2, 5, 12] {
        let plot = facets(panels).plot();
        let lines: Vec<_> =
            lines(&plot.svg, "#D55E00").into_iter().filter(|l| l.len() == 3).collect();
        assert_eq!(lines.len(), panels);
        for line in &lines {
            // The peak is at the top of its panel, in the middle.
            let ((left, bottom), (middle, top), (right, half)) = (line[0], line[1], line[2]);
            assert!(((left + right) / 2 - middle).abs() <= 1);
            assert!(((bottom + top) / 2 - half).abs() <= 1, "{line:?}");
        }
        let texts = texts(&plot.svg);
        for panel in 0..panels {
            assert!(texts.contains(&format!("puzzle {panel}").as_str()));
        }
        for number in 0..12 {
            assert!(texts.contains(&format!("method {number}").as_str()));
        }
        assert!(texts.contains(&"40") && texts.contains(&"generation"), "{texts:?}");
        assert!(!plot.svg.contains("NaN") && !plot.svg.contains('…'));
        assert!(plot.svg.starts_with("<svg width=\"900\"") && plot.svg.contains(" viewBox="));
    }
}

#[test]
fn plots_stand_stacked() {
    let plots = [facets(1).plot(), facets(2).plot()];
    let all = Plot::stacked(&plots);
    let tops = attributes(&all, "svg", "y");
    assert_eq!(tops, ["0", &plots[0].height.to_string()]);
    assert_eq!(all.matches("</svg>").count(), 3);
    let empty = Plot::stacked(&[]);
    assert!(empty.contains("nothing to draw") && empty.ends_with("</svg>\n"));
}

#[test]
fn a_row_shows_its_dots_where_they_belong() {
    let row = PlotRow {
        label: "boxes".to_owned(),
        dots: vec![50.0],
        interval: Some((25.0, 75.0)),
        note: "1/2".to_owned(),
        ..PlotRow::default()
    };
    let rows = DotPlot {
        title: "Success".to_owned(),
        caption: String::new(),
        x: Axis::linear("runs solved (%)", 100.0),
        legend: Vec::new(),
        groups: vec![("ai-escargot".to_owned(), vec![row])],
    };
    let svg = rows.plot().svg;
    let interval = lines(&svg, "#0072B2").into_iter().find(|line| line[0].1 == line[1].1).unwrap();
    let middle: i32 = attributes(&svg, "circle", "cx")[0].parse().unwrap();
    assert!(((interval[0].0 + interval[1].0) / 2 - middle).abs() <= 1);
    let texts = texts(&svg);
    for text in ["ai-escargot", "boxes", "1/2", "100"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
}

#[test]
fn a_long_label_takes_several_lines_and_keeps_all_its_words() {
    let label = "memetic, population 1,000, tabu steps 20 ".repeat(8);
    let plot = Facets { legend: vec![(0, label.clone())], ..facets(1) }.plot();
    let shown = texts(&plot.svg).join(" ");
    assert!(shown.contains(label.trim()), "{shown}");
}
