/// The number of elements of a dimension that another field counts.
#[derive(Clone, Copy, Debug)]
pub struct ElementCount {
    /// The value of the count field.
    pub value: i64,
    /// Maximum number of elements.
    pub limit: u32,
}

impl ElementCount {
    /// The expected value in the error for a count over its limit.
    pub(super) const EXPECTED: &str = "a count within the declared size";

    /// Creates a count from the value of its field.
    #[inline]
    pub fn new(value: impl Into<i64>, limit: u32) -> Self {
        Self { value: value.into(), limit }
    }

    /// Returns the number of elements, or `None` if it exceeds the limit.
    #[inline]
    pub(super) fn get(self) -> Option<usize> {
        let count = u32::try_from(self.value).ok().filter(|count| *count <= self.limit)?;
        Some(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Returns the outermost count and the inner ones.
    #[inline]
    pub(super) fn split(counts: &[Self]) -> (Self, &[Self]) {
        counts.split_first().map_or((Self { value: 0, limit: 0 }, &[]), |(first, rest)| (*first, rest))
    }
}
