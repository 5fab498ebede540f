//! The figures of an experiment, each with a panel or a group for each puzzle and a colour for each method:
//!
//! - best fitness by generation;
//! - runs solved, with their intervals;
//! - where the population varies, success and expected work by population size, with a panel for each class
//!   of puzzles first;
//! - where exactly two parameters vary, a map of both;
//! - runs solved by the work spent, and the work of each run;
//! - where something is compared on several puzzles, its mean ranks over them.
//!
//! Of more methods than can be distinguished only those figures are drawn in which the parameter that makes them
//! so many lies along an axis, and of more puzzles only those with a panel for each class.

mod convergence;
mod heatmap;
mod layout;
mod population;
mod success;

pub use layout::check;

use super::{Comparisons, MethodRanking, Results};
use crate::report::Plot;
use crate::report::plot::{CriticalDifference, work_ecdf};
use layout::{FigureLayouts, PANELS, PanelLayout};

/// Values whose names can be read at an axis of ranks.
const RANKED: usize = 40;

/// All figures of runs that can be drawn.
pub(super) fn plots(results: &Results<'_>) -> Vec<Plot> {
    let layouts = FigureLayouts::of(results.plan, &results.view.only, Some(results));
    let FigureLayouts { by_class, by_puzzle, by_size, map } = layouts;
    let along_population = |layout: &PanelLayout<'_>| population::figures(results, layout);
    let mut plots: Vec<Plot> = by_class.iter().flat_map(along_population).collect();
    if let Some(layout) = &by_puzzle {
        plots.extend(convergence::figure(layout.in_small_multiples().as_ref().unwrap_or(layout)));
        plots.extend(success::shares(layout));
    }
    plots.extend(by_size.iter().flat_map(along_population));
    plots.extend(map.and_then(|(layout, pair)| heatmap::figure(results, &layout, pair)));
    if let Some(layout) = &by_puzzle {
        plots.extend(by_work(layout.in_small_multiples().as_ref().unwrap_or(layout)));
        plots.extend(success::work(layout));
    }
    plots
}

fn by_work(layout: &PanelLayout<'_>) -> Option<Plot> {
    let panels = layout.panels.iter().enumerate().map(|(panel, title)| {
        let runs = |method| layout.runs(panel, method).into_iter().map(|run| run.cost()).collect();
        let lists = (0..layout.methods.len()).map(|method| (method, runs(method)));
        (title.clone(), lists.collect())
    });
    work_ecdf(&panels.collect::<Vec<_>>(), layout.legend())
}

/// The figures of what is compared: mean ranks over puzzles.
pub(super) fn ranked(compared: &Comparisons) -> Vec<Plot> {
    let rankings = compared.rankings.iter().take(PANELS);
    // Of two a sentence says all.
    let is_drawn =
        |it: &&MethodRanking| (3..=RANKED).contains(&it.ranks.len()) && it.apart().next().is_some();
    rankings.filter(is_drawn).map(mean_ranks).collect()
}

/// Mean ranks over puzzles, with the difference from which on two differ significantly.
fn mean_ranks(ranking: &MethodRanking) -> Plot {
    let of: Vec<String> =
        ranking.context.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let of = if of.is_empty() { String::new() } else { format!(" With {}.", of.join(", ")) };
    let figure = CriticalDifference {
        title: "Mean ranks over puzzles".to_owned(),
        caption: format!(
            "Mean ranks over {} puzzles, the best first. Methods under one bar do not differ by more than the \
             critical difference at 5 % (Nemenyi), which is drawn at the top.{of}",
            ranking.puzzles.len()
        ),
        ranks: ranking.ranks.clone(),
        difference: ranking.critical_difference,
        alike: ranking.alike(),
    };
    figure.plot()
}

#[cfg(test)]
mod tests {
    //! Figures of made-up runs, read back.

    use super::*;
    use crate::experiment::{
        CellFilter, Plan, ResultsView, RunMetrics, RunResult, Series, Spec, StopCause,
    };
    use crate::report::plot::tests::{attributes, lines, strokes, texts};
    use crate::statistics::TestStatistic;

    fn plan(text: &str) -> Plan {
        Plan::new(&Spec::from_toml(text, "made-up.toml".as_ref()).unwrap()).unwrap()
    }

    /// A run whose best fitness is that of the plan's cell at the beginning, with these peaks every 30
    /// generations.
    fn run(peaks: &[u16], solved: bool) -> RunResult {
        let mut series = Series::default();
        for generation in 0..30 * peaks.len() as u32 {
            let (restart, since) = (generation / 30, (generation % 30).min(5) as u16);
            series.generation.push(generation);
            series.best.push(peaks[restart as usize] - since);
            series.worst.push(60);
            series.restart.push(restart);
        }
        let end = if solved { StopCause::Solved } else { StopCause::Generations };
        let fitness = if solved { 0 } else { 4 };
        let work = 1_000 * u64::from(peaks[0]);
        RunResult {
            line: String::new(),
            figures: RunMetrics { end, fitness, work, series, ..RunMetrics::default() },
        }
    }

    fn results<'p>(plan: &'p Plan, of: impl Fn(usize, u32) -> RunResult) -> Results<'p> {
        let mut results = Results::new(plan);
        for number in 0..plan.runs() {
            let (cell, seed) = plan.run(number);
            results.insert(number, of(cell, seed));
        }
        results
    }

    const TWO_BY_THREE: &str = "
        puzzles = ['001-hard-01', 'ai-escargot']
        methods = ['boxes', 'memetic', 'cellular']
        seeds = 3";

    #[test]
    fn each_puzzle_has_a_panel_and_each_method_a_line_of_its_own_in_it() {
        let plan = plan(TWO_BY_THREE);
        // Each cell has its own level, so that what were joined or pooled would lie between.
        let results = results(&plan, |cell, _| run(&[20 + 5 * cell as u16], cell % 2 == 0));
        let plots = plots(&results);
        let titles: Vec<&str> = plots.iter().map(|plot| plot.title.as_str()).collect();
        let expected = [
            "Best fitness by generation",
            "Runs solved",
            "Runs solved within a given work",
            "Work of each run",
        ];
        assert_eq!(titles, expected);
        let svg = &plots[0].svg;
        let texts = texts(svg);
        for text in
            ["001-hard-01", "ai-escargot", "boxes", "memetic", "cellular", "fitness (0 is solved)"]
        {
            assert_eq!(
                texts.iter().filter(|known| **known == text).count(),
                1,
                "{text}: {texts:?}"
            );
        }
        for color in ["#0072B2", "#D55E00", "#009E73"] {
            // A thick and a thin one for each puzzle, and the legend's.
            let lines: Vec<_> =
                lines(svg, color).into_iter().filter(|line| line.len() > 3).collect();
            assert_eq!(lines.len(), 4, "{color}");
            for line in &lines {
                let (left, right) = (line[0].0, line[line.len() - 1].0);
                assert!(right < 450 || left > 450, "a line stays in its panel: {left} to {right}");
            }
        }
        let work = &plots[3].svg;
        assert_eq!(attributes(work, "circle", "cx").len(), 9);
        assert_eq!(strokes(work), 2 * 9);
    }

    #[test]
    fn a_method_has_one_colour_and_more_than_eight_have_a_panel_each() {
        let sized = "puzzles = ['ai-escargot']\nmethods = ['boxes', 'cellular']\n[parameters]\npopulation = ";
        let two = plan(&format!("{sized} [100, 1_000]"));
        let plots = plots(&results(&two, |_, _| run(&[30], true)));
        // Blue and vermilion are the sizes of boxes, green the first of cellular.
        for plot in plots.iter().filter(|plot| plot.title.ends_with("by population size")) {
            assert!(!lines(&plot.svg, "#0072B2").is_empty(), "{}", plot.title);
            assert!(!lines(&plot.svg, "#009E73").is_empty(), "{}", plot.title);
            assert!(lines(&plot.svg, "#D55E00").is_empty(), "{}", plot.title);
        }
        let ten = plan(&format!("{sized} [100, 200, 300, 400, 1_000]"));
        let plots = super::plots(&results(&ten, |_, _| run(&[30], true)));
        let titles = texts(&plots[0].svg);
        for text in ["boxes, population 100", "cellular, population 1,000"] {
            assert_eq!(titles.iter().filter(|known| **known == text).count(), 1, "{titles:?}");
        }
        let green = lines(&plots[0].svg, "#009E73");
        assert!(!green.is_empty() && green.len() < 4, "a method is in its panel alone: {green:?}");
    }

    #[test]
    fn ranks_are_drawn_where_they_show_a_difference() {
        let figures = |ranks: &[f64], p: f64| {
            let ranks: Vec<_> = ranks.iter().map(|rank| (rank.to_string(), *rank)).collect();
            let rankings = vec![ranking(ranks, p)];
            ranked(&Comparisons { rankings, ..Comparisons::default() }).len()
        };
        assert_eq!(figures(&[1.2, 2.0, 2.8], 0.01), 1);
        assert_eq!(figures(&[1.2, 2.0, 2.8], 0.06), 0, "they may be chance");
        assert_eq!(figures(&[1.9, 2.0, 2.1], 0.01), 0, "all are alike");
        assert_eq!(figures(&[1.0, 2.1], 0.01), 0, "a sentence says it of two");
    }

    /// A ranking over eight puzzles with a critical difference of one rank.
    fn ranking(ranks: Vec<(String, f64)>, p: f64) -> MethodRanking {
        MethodRanking {
            context: vec![("tries", "60".to_owned())],
            puzzles: vec![(String::new(), "a".to_owned()); 8],
            left_out: 0,
            ranks,
            test: TestStatistic { statistic: 9.0, p },
            exact: true,
            critical_difference: 1.0,
            puzzles_for_a_rank: 9,
        }
    }

    #[test]
    fn a_figure_of_ranks_has_each_rank_at_its_place_and_a_bar_over_those_that_are_alike() {
        let ranks = [("boxes", 1.25), ("rows", 2.0), ("cells", 2.75)];
        let ranks = ranks.map(|(name, rank)| (name.to_owned(), rank)).to_vec();
        let plot = mean_ranks(&ranking(ranks, 0.01));
        let shown: Vec<&str> = texts(&plot.svg).into_iter().map(str::trim).collect();
        for text in ["boxes 1.25", "rows 2.00", "cells 2.75", "critical difference 1.00"] {
            assert!(shown.contains(&text), "{text}: {shown:?}");
        }
        let ends = |wide: u32| -> Vec<(i32, i32)> {
            let drawn = lines(&plot.svg, &format!("stroke-width=\"{wide}\""));
            drawn.iter().map(|line| (line[0].0, line[1].0)).collect()
        };
        // The best two, and the worst two; a rank is as long as the critical difference.
        let ([(from, _), (_, to)], [(left, right)]) = (&ends(4)[..], &ends(2)[..]) else {
            panic!("{}", plot.svg);
        };
        let rank = f64::from(right - left);
        assert!((f64::from(to - from) / rank - 1.5).abs() < 0.1, "{from} to {to}, of {rank}");
    }

    #[test]
    fn restarts_are_drawn_at_their_true_height() {
        let plan = plan("puzzles = ['ai-escargot']\nmethods = ['boxes']");
        let results = results(&plan, |_, _| run(&[33, 32, 31, 33, 31], false));
        let svg = &plots(&results)[0].svg;
        // Below each ring is a white one.
        let circles = attributes(svg, "circle", "cy").into_iter().step_by(2);
        let heights: Vec<i32> = circles.map(|y| y.parse().unwrap()).collect();
        let [second, third, fourth, fifth] = heights[..] else { panic!("{heights:?}") };
        assert!(fourth < second && second < third && third == fifth, "{heights:?}");
        let thin = lines(svg, "#0072B2");
        for height in heights {
            assert!(thin.iter().any(|line| line.iter().any(|(_, y)| *y == height)));
        }
    }

    #[test]
    fn what_varies_lies_along_an_axis() {
        let plan = plan(
            "puzzles = ['ai-escargot']\nmethods = ['cellular']\nseeds = 2
             [parameters]\npopulation = [20, 200, 2_000, 20_000, 50_000]\ntries = [10, 20, 30]",
        );
        check(&plan, &[]).unwrap();
        let results =
            results(&plan, |cell, seed| run(&[30], (cell as u32 + seed).is_multiple_of(2)));
        let plots = plots(&results);
        let titles: Vec<&str> = plots.iter().map(|plot| plot.title.as_str()).collect();
        let expected = [
            "Runs solved by population size",
            "Expected work by population size",
            "Runs solved by population and tries",
        ];
        assert_eq!(titles, expected, "fifteen methods are too many for lines");
        let by_size = texts(&plots[0].svg);
        assert!(
            by_size.contains(&"cellular, tries 10") && by_size.contains(&"20 k"),
            "{by_size:?}"
        );
        assert_eq!(attributes(&plots[0].svg, "circle", "cx").len(), 15);
        let map = texts(&plots[2].svg);
        assert_eq!(map.iter().filter(|text| **text == "1/2").count(), 15, "{map:?}");
    }

    #[test]
    fn blocks_of_one_name_are_one_class_whose_name_ends_with_a_whole_number() {
        let plan = plan(
            "methods = ['cellular']
             [parameters]
             population = [20, 200]
             [[block]]
             puzzles = ['003-4x4', '003-6x6']
             [[block]]
             puzzles = ['003-4x4', '003-6x6']
             [block.parameters]
             crossover = 'none'",
        );
        let by_class = FigureLayouts::of(&plan, &[], None).by_class.unwrap();
        assert_eq!(by_class.panels, ["003, 2 puzzles"]);
    }

    #[test]
    fn puzzles_that_are_run_together_have_a_panel_with_the_cheapest_length_of_each_population() {
        let plan = plan(
            "methods = ['cellular']
             [parameters]
             population = [20, 200, 2_000]
             tries = [10, 20]
             max_work = 1_000_000
             [[block]]
             name = 'documents'
             puzzles = ['001-hard-01', '001-hard-02']
             [[block]]
             name = 'documents without crossover'
             puzzles = ['001-hard-01', '001-hard-02']
             [block.parameters]
             crossover = 'none'
             [[block]]
             name = 'named'
             puzzles = ['ai-escargot', 'coly013']",
        );
        check(&plan, &[]).unwrap();
        // With 20 tries everything is solved, with 10 nothing; and nothing of one population on named ones.
        let results = results(&plan, |cell, _| {
            let cell = &plan.cells[cell];
            let never = cell.block == "named" && cell.config.population == 200;
            run(&[30], cell.config.tries == 20 && !never)
        });
        let plots = plots(&results);
        let (success, cost) = (texts(&plots[0].svg), &plots[1].svg);
        assert_eq!(plots[1].title, "Expected work by population size");
        for text in [
            "001-hard, 2 puzzles",
            "2 puzzles",
            "cellular, crossover band-or-stack",
            "cellular, crossover none",
        ] {
            assert_eq!(success.iter().filter(|known| **known == text).count(), 1, "{success:?}");
        }
        // Three populations twice, and three that are all solved or not at all.
        assert_eq!(attributes(&plots[0].svg, "circle", "cx").len(), 3 + 3 + 3);
        assert_eq!(attributes(cost, "circle", "cx").len(), 3 + 3 + 2);
        // A line ends at a population that has no cost.
        let long = |line: &&Vec<(i32, i32)>| line.len() == 3;
        let drawn: Vec<_> =
            ["#0072B2", "#D55E00"].iter().flat_map(|colour| lines(cost, colour)).collect();
        assert_eq!(drawn.iter().filter(long).count(), 2, "{drawn:?}");
    }

    #[test]
    fn what_is_too_much_is_refused_with_what_to_choose() {
        let all: Vec<String> = (1..=13).map(|tries| tries.to_string()).collect();
        let tries = format!(
            "puzzles = ['ai-escargot']\nmethods = ['cellular']\n[parameters]\ntries = [{}]",
            all.join(", ")
        );
        let tries = plan(&tries);
        let refused = check(&tries, &[]).unwrap_err().to_string();
        assert_eq!(
            refused,
            "a plot distinguishes at most 12 methods, and there are 13 (cellular, tries 1, ...): select some, as \
             in --only tries=1"
        );
        let only: Vec<CellFilter> =
            ["tries=1", "tries=3"].iter().map(|text| text.parse().unwrap()).collect();
        check(&tries, &only).unwrap();
        let view = ResultsView { only, compare: None };
        let some = results(&tries, |_, _| run(&[30], true)).viewed(view);
        assert_eq!(
            PanelLayout::new(&tries, &some.view.only, &[], &["tries"]).methods,
            ["cellular, tries 1", "cellular, tries 3"]
        );

        let many =
            "puzzles = ['ai-escargot']\nmethods = ['memetic']\ndig = 'any'\nstep = 1\nuntil = 10";
        let many = plan(many);
        let refused = check(&many, &[]).unwrap_err().to_string();
        assert!(
            refused.contains("at most 12 panels") && refused.ends_with("--only puzzle=ai-escargot")
        );
        check(&many, &["puzzle=ai-escargot".parse().unwrap()]).unwrap();
        assert!(plots(&results(&many, |_, _| run(&[30], true))).is_empty());
    }
}
