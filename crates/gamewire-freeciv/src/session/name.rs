use thiserror::Error;

/// Maximum bytes of a user name.
const MAX_BYTES: usize = 47;
/// The reserved name, which means "no user".
const RESERVED: &str = "Unassigned";

/// The error for an invalid user name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// The name is empty.
    #[error("the name is empty")]
    Empty,
    /// The name does not fit in the join request.
    #[error("the name is longer than {MAX_BYTES} bytes")]
    Long,
    /// The name contains characters other than printable ASCII, or starts or ends with a blank.
    #[error("the name must be printable ASCII without blanks at its ends")]
    NotAscii,
    /// The name starts with a digit.
    #[error("the name starts with a digit")]
    Digit,
    /// The name is reserved.
    #[error("the name {RESERVED} is reserved")]
    Reserved,
}

/// Checks whether a server accepts a user name, provided that no other client uses it.
///
/// # Errors
/// [`NameError`] with the first violated rule.
pub fn check_name(name: &str) -> Result<(), NameError> {
    let Some(first) = name.bytes().next() else { return Err(NameError::Empty) };
    if name.len() > MAX_BYTES {
        return Err(NameError::Long);
    }
    if !name.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) || name.trim() != name {
        return Err(NameError::NotAscii);
    }
    if first.is_ascii_digit() {
        return Err(NameError::Digit);
    }
    if same_name(name, RESERVED) { Err(NameError::Reserved) } else { Ok(()) }
}

/// Returns whether a server considers two names equal.
pub fn same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_name_is_an_error_with_the_reason() {
        assert_eq!(check_name("alice"), Ok(()));
        assert_eq!(check_name("Alice the 2nd"), Ok(()));
        assert_eq!(check_name(&"a".repeat(47)), Ok(()));
        assert_eq!(check_name(""), Err(NameError::Empty));
        assert_eq!(check_name(&"a".repeat(48)), Err(NameError::Long));
        assert_eq!(check_name("häuptling"), Err(NameError::NotAscii));
        assert_eq!(check_name("al\u{7}ice"), Err(NameError::NotAscii));
        assert_eq!(check_name(" alice"), Err(NameError::NotAscii));
        assert_eq!(check_name("2nd"), Err(NameError::Digit));
        assert_eq!(check_name("unassigned"), Err(NameError::Reserved));
    }

    #[test]
    fn names_are_compared_without_case() {
        assert!(same_name("Alice", "aLICE"));
        assert!(!same_name("Alice", "Alic"));
    }
}
