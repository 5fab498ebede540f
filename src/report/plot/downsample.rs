//! Thins a line to what its pixels can show: of each column of pixels the first, lowest, highest and
//! last point, so that no peak is lost (U. Jugel, Z. Jerzak, G. Hackenbroich and V. Markl, *M4: a
//! visualization-oriented time series data aggregation*, PVLDB 7 (2014), 797-808).

use super::Axis;

/// The points that are drawn of a line, ascending along `x`, of so many pixels.
pub(crate) fn downsample(points: &[(f64, f64)], x: &Axis, pixels: u32) -> Vec<(f64, f64)> {
    let column = |point: &(f64, f64)| (x.share(point.0) * f64::from(pixels)).round() as u32;
    let mut thinned = Vec::new();
    for points in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &usize, b: &usize| points[*a].1.total_cmp(&points[*b].1);
        let lowest = (0..points.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..points.len()).max_by(by_height).unwrap_or(0);
        let mut kept = [0, lowest, highest, points.len() - 1];
        kept.sort_unstable();
        for (at, index) in kept.iter().enumerate() {
            if at == 0 || kept[at - 1] != *index {
                thinned.push(points[*index]);
            }
        }
    }
    thinned
}

/// The highest of points that would lie upon each other, where each takes so many pixels across.
pub(crate) fn topmost(
    points: &[(f64, f64)],
    x: &Axis,
    pixels: u32,
    across: u32,
) -> Vec<(f64, f64)> {
    let places = f64::from(pixels) / f64::from(across.max(1));
    let place = |point: &(f64, f64)| (x.share(point.0) * places) as u32;
    let highest = |points: &[(f64, f64)]| points.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    points.chunk_by(|a, b| place(a) == place(b)).filter_map(highest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_valleys_of_a_column_stay() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|x| (f64::from(x), 5.0)).collect();
        points[4_321].1 = 31.0;
        points[4_322].1 = 1.0;
        let thinned = downsample(&points, &Axis::linear("x", 9_999.0), 100);
        assert!(thinned.contains(&(4_321.0, 31.0)) && thinned.contains(&(4_322.0, 1.0)));
        assert!(thinned.len() <= 404, "{}", thinned.len());
        assert!(thinned.is_sorted_by(|a, b| a.0 < b.0));
        let few = &points[..50];
        assert_eq!(downsample(few, &Axis::linear("x", 49.0), 1_000), few);
    }

    #[test]
    fn of_what_lies_upon_each_other_the_highest_stays() {
        let points = [(0.0, 1.0), (5.0, 9.0), (6.0, 2.0), (50.0, 3.0), (99.0, 4.0)];
        let kept = topmost(&points, &Axis::linear("x", 100.0), 100, 10);
        assert_eq!(kept, [(5.0, 9.0), (50.0, 3.0), (99.0, 4.0)]);
    }
}
