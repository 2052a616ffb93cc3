use thiserror::Error;

/// The longest name of a user, in bytes.
const MAX_BYTES: usize = 47;
/// The name that stands for nobody.
const NOBODY: &str = "Unassigned";

/// Why a server takes nobody in by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameFault {
    /// There is none.
    #[error("a name is needed")]
    Empty,
    /// It does not fit in the join request.
    #[error("a name has at most {MAX_BYTES} bytes")]
    Long,
    /// It has characters other than those of ASCII that can be seen, and blanks between them.
    #[error("a name has nothing but printable characters of ASCII, and neither begins nor ends with a blank")]
    NotAscii,
    /// It begins with a digit.
    #[error("a name does not begin with a digit")]
    Digit,
    /// It stands for nobody.
    #[error("the name {NOBODY} stands for nobody")]
    Nobody,
}

/// Whether a server would take somebody in by this name, if it is not taken.
///
/// # Errors
/// Why not.
pub fn check_name(name: &str) -> Result<(), NameFault> {
    let Some(first) = name.bytes().next() else { return Err(NameFault::Empty) };
    if name.len() > MAX_BYTES {
        return Err(NameFault::Long);
    }
    if !name.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) || name.trim() != name {
        return Err(NameFault::NotAscii);
    }
    if first.is_ascii_digit() {
        return Err(NameFault::Digit);
    }
    if same_name(name, NOBODY) { Err(NameFault::Nobody) } else { Ok(()) }
}

/// Whether a server takes two names for the same one.
#[must_use]
pub fn same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_that_no_server_takes_is_told_why() {
        assert_eq!(check_name("alice"), Ok(()));
        assert_eq!(check_name("Alice the 2nd"), Ok(()));
        assert_eq!(check_name(&"a".repeat(47)), Ok(()));
        assert_eq!(check_name(""), Err(NameFault::Empty));
        assert_eq!(check_name(&"a".repeat(48)), Err(NameFault::Long));
        assert_eq!(check_name("häuptling"), Err(NameFault::NotAscii));
        assert_eq!(check_name("al\u{7}ice"), Err(NameFault::NotAscii));
        assert_eq!(check_name(" alice"), Err(NameFault::NotAscii));
        assert_eq!(check_name("2nd"), Err(NameFault::Digit));
        assert_eq!(check_name("unassigned"), Err(NameFault::Nobody));
    }

    #[test]
    fn case_makes_no_other_name() {
        assert!(same_name("Alice", "aLICE"));
        assert!(!same_name("Alice", "Alic"));
    }
}
