//! Options that the protocol of a URL does not have.

/// An option that may be given.
pub(super) trait IsGiven {
    fn is_given(&self) -> bool;
}

impl<T> IsGiven for Option<T> {
    fn is_given(&self) -> bool {
        self.is_some()
    }
}

impl<T> IsGiven for Vec<T> {
    fn is_given(&self) -> bool {
        !self.is_empty()
    }
}

impl IsGiven for bool {
    fn is_given(&self) -> bool {
        *self
    }
}

/// Returns the name of the first option that was given.
pub(super) fn first_set_option(options: &[(&'static str, bool)]) -> Option<&'static str> {
    options.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
}
