use std::fmt;
use std::str::FromStr;

/// Version of a program: major, minor and patch number, such as 3.1.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub [u32; 3]);

/// Parses one to three numbers, separated by dots. Missing numbers are 0.
impl FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut numbers = [0; 3];
        let mut parts = text.split('.');
        for (number, part) in numbers.iter_mut().zip(parts.by_ref()) {
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            *number = part.parse().ok().filter(|_| is_number).ok_or(())?;
        }
        if parts.next().is_none() { Ok(Self(numbers)) } else { Err(()) }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        let version = |text: &str| text.parse::<Version>();
        assert_eq!(version("3.1.4"), Ok(Version([3, 1, 4])));
        assert!(version("3.10") > version("3.9.9"));
        assert_eq!(version("3.1"), version("3.1.0"));
        for text in ["", "3.", "3.x", "+3", "3.1.4.1", "3.1-beta"] {
            assert_eq!(version(text), Err(()), "{text}");
        }
        assert_eq!(Version([3, 0, 6]).to_string(), "3.0.6");
    }
}
