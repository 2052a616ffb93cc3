/// The median of some figures and their interquartile range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    pub(crate) fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        let at = |share: f64| figures[((figures.len() - 1) as f64 * share).round() as usize];
        Self { median: at(0.5), low: at(0.25), high: at(0.75) }
    }

    /// Returns the spread of the ratios of two series, round by round.
    pub(crate) fn of_ratios(ours: &[f64], others: &[f64]) -> Self {
        Self::of(ours.iter().zip(others).map(|(ours, other)| ours / other))
    }
}
