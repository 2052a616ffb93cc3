//! Options that do not go with a URL.

/// An option that may have been left out.
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

/// The name of the first option that was given.
pub(super) fn first_set_option(options: &[(&'static str, bool)]) -> Option<&'static str> {
    options.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
}
