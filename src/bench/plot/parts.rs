//! Where a generation's time goes: one bar a preset and evaluator, at the largest population that
//! was measured. Parts that overlap in time make a bar longer than 100 %.

use plotters::prelude::{PathElement, Rectangle, Text};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::{BenchResults, Measurement, Phase, What};
use super::rates::label;
use crate::report::figure::Figure;
use crate::report::panel::{Area, Drawn, GRID, WIDTH, color, style};

/// Pixels from one bar to the next, and of a bar.
const STEP: i32 = 26;
const BAR: i32 = 16;
/// Pixels above the bars: title and legend; below them: the axis.
const HEAD: i32 = 74;
const FOOT: i32 = 50;
/// Pixels left of the bars, for their names, and right of them.
const LEFT: i32 = 290;
const RIGHT: i32 = 30;

/// The bars.
pub(super) struct Bars<'a> {
    population: u32,
    lines: Vec<&'a Measurement>,
}

impl<'a> Bars<'a> {
    pub(super) fn of(results: &'a BenchResults) -> Option<Self> {
        let largest = results.of(What::Generation).map(|line| line.task.population).max()?;
        let lines = results.of(What::Generation);
        let lines = lines.filter(|line| line.task.population == largest).collect();
        Some(Self { population: largest, lines })
    }
}

impl Figure for Bars<'_> {
    fn title(&self) -> String {
        let population = indicatif::HumanCount(self.population.into());
        format!("Where the time of a generation of {population} goes")
    }

    fn height(&self) -> u32 {
        (HEAD + FOOT) as u32 + self.lines.len() as u32 * STEP as u32
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        area.draw(&Text::new(self.title(), (78, 12), style(16)))?;
        self.legend(area)?;
        let whole = |line: &&Measurement| line.parts().iter().map(|(_, share)| share).sum::<f64>();
        let longest = self.lines.iter().map(whole).fold(1.0_f64, f64::max);
        let at =
            |share: f64| LEFT + (share / longest * f64::from(WIDTH as i32 - LEFT - RIGHT)) as i32;
        let bottom = HEAD + STEP * self.lines.len() as i32;
        for tick in
            (0..).map(|tick| f64::from(tick) * 0.2).take_while(|tick| *tick <= longest + 1e-9)
        {
            area.draw(&PathElement::new([(at(tick), HEAD), (at(tick), bottom)], GRID))?;
            let below = style(14).pos(Pos::new(HPos::Center, VPos::Top));
            let text = format!("{:.0}", 100.0 * tick);
            area.draw(&Text::new(text, (at(tick), bottom + 4), below))?;
        }
        let below = style(14).pos(Pos::new(HPos::Center, VPos::Top));
        let middle = (at(longest / 2.0), bottom + 24);
        area.draw(&Text::new("share of the time (%)", middle, below))?;
        for (row, line) in (0..).zip(&self.lines) {
            let top = HEAD + STEP * row + (STEP - BAR) / 2;
            let right = style(13).pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(label(&line.task), (LEFT - 8, top + BAR / 2), right))?;
            let mut from = 0.0;
            for (part, share) in line.parts() {
                let corners = [(at(from), top), (at(from + share), top + BAR)];
                area.draw(&Rectangle::new(corners, color(part as usize).filled()))?;
                from += share;
            }
        }
        Ok(())
    }
}

impl Bars<'_> {
    fn legend(&self, area: &Area<'_>) -> Drawn {
        for (x, part) in (78..).step_by(110).zip(Phase::ALL) {
            let swatch = [(x, 44), (x + 14, 58)];
            area.draw(&Rectangle::new(swatch, color(*part as usize).filled()))?;
            let beside = style(13).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(part.name(), (x + 20, 51), beside))?;
        }
        Ok(())
    }
}
