use core::ops::Not;

/// The result of evaluating a rule (Freeciv's `fc_tristate`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Answer {
    /// The server rejects it.
    No,
    /// The result depends on facts that the client does not see, or on rules that this crate does not implement.
    Unknown,
    /// The server accepts it.
    Yes,
}

impl Answer {
    /// Returns whether the answer is yes.
    pub fn is_yes(self) -> bool {
        self == Self::Yes
    }

    /// Returns whether the answer is no.
    pub fn is_no(self) -> bool {
        self == Self::No
    }

    /// Returns yes if both answers are yes, and no if one of them is no.
    #[must_use]
    pub fn and(self, other: impl FnOnce() -> Self) -> Self {
        if self.is_no() { self } else { self.min(other()) }
    }

    /// Returns no if both answers are no, and yes if one of them is yes.
    #[must_use]
    pub fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self.is_yes() { self } else { self.max(other()) }
    }

    /// Returns yes if all answers are yes. Stops with no at the first no.
    pub fn all(answers: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::Yes;
        for answer in answers {
            all = all.min(answer);
            if all.is_no() {
                break;
            }
        }
        all
    }

    /// Returns no if all answers are no. Stops with yes at the first yes.
    pub fn any(answers: impl IntoIterator<Item = Self>) -> Self {
        let mut any = Self::No;
        for answer in answers {
            any = any.max(answer);
            if any.is_yes() {
                break;
            }
        }
        any
    }
}

impl Not for Answer {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
            Self::Yes => Self::No,
        }
    }
}

impl From<bool> for Answer {
    fn from(answer: bool) -> Self {
        if answer { Self::Yes } else { Self::No }
    }
}

/// Converts `None`, a fact that is not known, to [`Answer::Unknown`].
impl From<Option<bool>> for Answer {
    fn from(answer: Option<bool>) -> Self {
        answer.map_or(Self::Unknown, Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::Answer::{self, No, Unknown, Yes};

    #[test]
    fn an_unknown_answer_matters_only_if_the_others_do_not_decide() {
        assert_eq!(Answer::all([Yes, Unknown, No]), No);
        assert_eq!(Answer::all([Yes, Unknown]), Unknown);
        assert_eq!(Answer::all([]), Yes);
        assert_eq!(Answer::any([No, Unknown, Yes]), Yes);
        assert_eq!(Answer::any([No, Unknown]), Unknown);
        assert_eq!(Answer::any([]), No);
        assert_eq!((!Yes, !Unknown, !No), (No, Unknown, Yes));
        assert_eq!((No.or(|| Unknown), Unknown.or(|| Yes), Yes.and(|| Unknown)), (Unknown, Yes, Unknown));
    }
}
