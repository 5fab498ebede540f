//! Numbers as people write them: `1M`, `2.5k`, `1e6`, `1_000_000`, `64Mi`, and times: `5s`, `250ms`,
//! `2min`; intervals are times, or generations as in `100g`.
//!
//! Thousands are `k`, millions `M`, and so on: powers of 1,000, in upper or lower case except in times;
//! `Ki`, `Mi`, `Gi` and `Ti` are powers of 1,024 (IEC 80000-13), and `64MiB` equals `64Mi`.
//! A time without a unit is in seconds. All conversions are exact: `1.5` is not a whole number, and `2.5k`
//! is 2,500. Numbers are read as they are printed: `1,000,000`; in a list, a comma separates.
//!
//! They are written as counts before nouns: `1 run`, `2,000 moves`.

/// Powers of ten by their letter.
const THOUSANDS: [(char, i32); 4] = [('k', 3), ('m', 6), ('g', 9), ('t', 12)];

/// Seconds in each unit of time; the longer names first, so that `ms` is not taken for `s`.
const TIMES: [(&str, f64); 6] =
    [("ms", 1e-3), ("min", 60.0), ("us", 1e-6), ("h", 3_600.0), ("s", 1.0), ("m", 60.0)];

/// Powers of two by their two letters.
const BINARY: [(&str, u32); 4] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40)];

/// A whole number.
pub fn whole(text: &str) -> Option<u64> {
    let bytes = text.strip_suffix('B').unwrap_or(text);
    if let Some((number, power)) =
        BINARY.iter().find_map(|(unit, p)| Some((bytes.strip_suffix(unit)?, p)))
    {
        // Only one unit is allowed: `1KiKi` is refused.
        let is_plain = number.ends_with(|c: char| c.is_ascii_digit() || c == '_');
        return if is_plain { whole(number)?.checked_mul(1 << power) } else { None };
    }
    let (digits, power) = parts(text)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let fraction = fraction.trim_end_matches('0');
    // Pads with as many zeros as the power has beyond the digits after the point.
    let zeros = usize::try_from(power).ok()?.checked_sub(fraction.len())?;
    if whole.is_empty() || !(whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
    digits.checked_mul(10u64.checked_pow(u32::try_from(zeros).ok()?)?)
}

/// Any number.
pub fn real(text: &str) -> Option<f64> {
    let (digits, power) = parts(text)?;
    format!("{digits}e{power}").parse().ok()
}

/// A time, in seconds.
pub fn seconds(text: &str) -> Option<f64> {
    let unit = TIMES.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, factor) = unit.unwrap_or((text, &1.0));
    let number: String = number.trim_end().chars().filter(|c| *c != '_').collect();
    // `inf` and `nan`, which parse as numbers, are refused.
    let digits = number.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    let seconds = number.parse::<f64>().ok().filter(|_| digits)? * factor;
    seconds.is_finite().then_some(seconds)
}

/// How often something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Interval {
    /// After this time.
    Time(std::time::Duration),
    /// After this many generations, at least 1.
    Generations(u32),
}

/// An interval: a time, or generations as in `100g`.
pub fn every(text: &str) -> Option<Interval> {
    if let Some(generations) = text.strip_suffix('g') {
        let generations = u32::try_from(whole(generations.trim_end())?).ok()?;
        return (generations > 0).then_some(Interval::Generations(generations));
    }
    let seconds = seconds(text).filter(|seconds| (0.0..=1e9).contains(seconds))?;
    Some(Interval::Time(std::time::Duration::from_secs_f64(seconds)))
}

/// The digits of a number, and the power of ten to multiply them by.
fn parts(text: &str) -> Option<(String, i32)> {
    let mut text: String = ungrouped(text)?.chars().filter(|c| *c != '_').collect();
    let letter = text.chars().last()?.to_ascii_lowercase();
    let mut power = 0;
    if let Some((_, of_letter)) = THOUSANDS.iter().find(|(known, _)| *known == letter) {
        text.pop();
        power = *of_letter;
    }
    if let Some((digits, exponent)) = text.clone().split_once(['e', 'E']) {
        power += exponent.parse::<i32>().ok().filter(|exponent| exponent.abs() < 400)?;
        text = digits.to_owned();
    }
    text.ends_with(|c: char| c.is_ascii_digit() || c == '.').then_some((text, power))
}

/// The number without commas, which stand before groups of three digits: `1,000,000`.
fn ungrouped(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let mut groups = digits.split(',');
    let is_grouped = groups.next().is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.all(|group| group.len() == 3);
    (is_grouped || !digits.contains(',')).then(|| digits.replace(',', "") + rest)
}

/// The items of a list, which commas separate, without spaces around them.
///
/// # Errors
/// Where three digits follow a comma, as in `1,000`, which may be one number or two, unless another item has four
/// digits or more without a comma: `300,1000`.
pub fn items(text: &str) -> Result<Vec<&str>, String> {
    let items: Vec<&str> = text.split(',').collect();
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // The numbers that the items are if commas group digits.
    let mut grouped: Vec<String> = Vec::new();
    let mut before = "";
    for item in &items {
        let continues =
            item.len() == 3 && is_digits(item) && before.len() <= 3 && is_digits(before);
        match grouped.last_mut().filter(|_| continues) {
            Some(number) => number.push_str(item),
            None => grouped.push((*item).to_owned()),
        }
        before = item;
    }
    let is_long = items.iter().any(|item| item.len() > 3 && is_digits(item));
    if grouped.len() < items.len() && !is_long {
        let [one, other] = [grouped.join(", "), items.join(", ")];
        return Err(format!(
            "{text} may mean {one} or {other}: for {other}, put a space after each comma, and quote the argument"
        ));
    }
    Ok(items.into_iter().map(str::trim).collect())
}

/// The form that a noun has behind a count.
pub fn noun(count: u64, one: &str) -> String {
    match (count, one.ends_with('s')) {
        (1, _) => one.to_owned(),
        (_, true) => format!("{one}es"),
        (_, false) => format!("{one}s"),
    }
}

/// A count: `2,000`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// A number to its first digits, as in a rate: `1.2M` for 1,234,567.
pub fn short(number: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    // 999,950 is 1.0M, not 1000.0k.
    let unit = units.into_iter().find(|(size, _)| number >= 0.99995 * *size);
    unit.map_or_else(
        || format!("{number:.0}"),
        |(size, unit)| format!("{:.1}{unit}", number / size),
    )
}

/// A time, in the unit that fits: `12.3 ms`.
pub fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.9995e-3 => format!("{:.0} µs", 1e6 * seconds),
        seconds if seconds < 0.99995 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{seconds:.1} s"),
    }
}

/// A count with its noun: `2,000 moves`.
pub fn counted(number: u64, one: &str) -> String {
    format!("{} {}", count(number), noun(number, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_exact() {
        for (text, number) in [
            ("0", 0),
            ("007", 7),
            ("1_000", 1_000),
            ("1,000,000", 1_000_000),
            ("12,500.0k", 12_500_000),
            ("64MiB", 1 << 26),
            ("3Ki", 3_072),
            ("1k", 1_000),
            ("2.5k", 2_500),
            ("1M", 1_000_000),
            ("1m", 1_000_000),
            ("1e6", 1_000_000),
            ("1.5e1", 15),
            ("1.50", 0),
            ("18446744073709551615", u64::MAX),
            ("18.446744073709551615e18", u64::MAX),
        ] {
            let expected = (text != "1.50").then_some(number);
            assert_eq!(whole(text), expected, "{text}");
        }
        assert_eq!(whole("2.0"), Some(2));
        let units = "1".to_owned() + &"Ki".repeat(1_000_000);
        for text in [
            "", "k", "Mi", "B", "5B", "2.5Ki", "9e18Ti", "-1", "+1", "1.5", "1e-1", "2.5", "1ee3",
            "0x10", "1 k", "nan", ".5k", "1,00", ",100", "1000,000", "1,000,", "1KiKi", "5kKi",
            "1MiBKi", &units,
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
        assert_eq!(whole("18446744073709551616"), None);
        assert_eq!(whole("1e99"), None);
    }

    #[test]
    fn numbers_and_times_are_shortened_to_the_unit_that_fits() {
        let numbers = [0.0, 999.0, 1_000.0, 999_900.0, 999_950.0, 1_234_567.0, 3e12];
        let texts = ["0", "999", "1.0k", "999.9k", "1.0M", "1.2M", "3.0T"];
        assert_eq!(numbers.map(short), texts);
        let times = [0.000_012, 0.000_999_4, 0.000_999_6, 0.012_34, 0.999_96, 61.25];
        assert_eq!(times.map(time), ["12 µs", "999 µs", "1.0 ms", "12.3 ms", "1.0 s", "61.2 s"]);
    }

    #[test]
    fn times_have_units() {
        for (text, number) in [
            ("5", 5.0),
            ("5s", 5.0),
            ("250ms", 0.25),
            ("2min", 120.0),
            ("5m", 300.0),
            ("1.5 h", 5_400.0),
            ("1e3", 1_000.0),
            ("-1", -1.0),
        ] {
            assert_eq!(seconds(text), Some(number), "{text}");
        }
        for text in ["", "s", "ms", "5 apples", "inf", "nan", "1e999", "5mins"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn intervals_are_times_or_generations() {
        use std::time::Duration;
        assert_eq!(every("30s"), Some(Interval::Time(Duration::from_secs(30))));
        assert_eq!(every("2min"), Some(Interval::Time(Duration::from_secs(120))));
        assert_eq!(every("0"), Some(Interval::Time(Duration::ZERO)));
        assert_eq!(every("100g"), Some(Interval::Generations(100)));
        assert_eq!(every("2k g"), Some(Interval::Generations(2_000)));
        for text in ["", "g", "0g", "1.5g", "-1s", "5000000000g", "ever"] {
            assert_eq!(every(text), None, "{text}");
        }
    }

    #[test]
    fn real_numbers_take_what_whole_ones_take() {
        assert_eq!(real("0.25"), Some(0.25));
        assert_eq!(real("1k"), Some(1_000.0));
        assert_eq!(real("-0.5"), Some(-0.5));
        assert_eq!(real("1e-3"), Some(0.001));
        for text in ["", "x", "inf", "NaN", "e5"] {
            assert_eq!(real(text), None, "{text}");
        }
    }

    #[test]
    fn one_alone_is_singular() {
        let of = |one| [0, 1, 2].map(|count| noun(count, one));
        assert_eq!(of("run"), ["runs", "run", "runs"]);
        assert_eq!(of("guess"), ["guesses", "guess", "guesses"]);
    }

    #[test]
    fn counts_have_commas() {
        assert_eq!(counted(1, "free cell"), "1 free cell");
        assert_eq!(counted(1_234, "free cell"), "1,234 free cells");
        let text = "0 12 999 1,000 123,456 18,446,744,073,709,551,615";
        let numbers = [0, 12, 999, 1_000, 123_456, u64::MAX];
        assert_eq!(numbers.map(count).join(" "), text);
    }
}
