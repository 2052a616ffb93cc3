use core::fmt;

use thiserror::Error;

use crate::codec::ProtocolVersion;
use crate::delta::{active_capabilities, has_capability, is_separator};

/// A capability string: words separated by whitespace or commas. Mandatory capabilities start with a `+`.
#[derive(Clone, PartialEq, Eq)]
pub struct Capabilities {
    text: String,
    mandatory: Vec<String>,
}

/// The error for a text that is not a capability string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("capability string of {length} bytes; at most {limit} are allowed", limit = Capabilities::MAX_BYTES)]
pub struct CapabilityError {
    /// Length of the text in bytes.
    pub length: usize,
}

/// A mandatory capability that one side lacks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MissingCapability {
    /// The other side requires the capability, and this side lacks it.
    #[error("the other side requires the capability {0}, which we lack")]
    Ours(String),
    /// This side requires the capability, and the other side lacks it.
    #[error("we require the capability {0}, which the other side lacks")]
    Theirs(String),
}

impl Capabilities {
    /// Maximum bytes, without the NUL.
    pub const MAX_BYTES: usize = 511;

    /// Parses a capability string.
    ///
    /// # Errors
    /// [`CapabilityError`] if the text is too long for the wire.
    pub fn parse(text: &str) -> Result<Self, CapabilityError> {
        if text.len() > Self::MAX_BYTES {
            return Err(CapabilityError { length: text.len() });
        }
        let mandatory = text.split(is_separator).filter_map(|word| word.strip_prefix('+'));
        Ok(Self { text: text.to_owned(), mandatory: mandatory.map(str::to_owned).collect() })
    }

    /// Returns whether the list contains a word, mandatory or not.
    pub fn has(&self, word: &str) -> bool {
        has_capability(&self.text, word)
    }

    /// Returns the string in the form that is sent.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Checks that each side has the mandatory capabilities of the other side.
    ///
    /// # Errors
    /// [`MissingCapability`] with the first missing one. Capabilities that this side lacks are checked first.
    pub fn check_compatible(&self, theirs: &Self) -> Result<(), MissingCapability> {
        let missing = |from: &Self, of: &Self| from.mandatory.iter().find(|word| !of.has(word)).cloned();
        match missing(theirs, self) {
            Some(word) => Err(MissingCapability::Ours(word)),
            None => missing(self, theirs).map_or(Ok(()), |word| Err(MissingCapability::Theirs(word))),
        }
    }

    /// Returns the protocol version of a connection between these sides: the version that the other side requires, or
    /// else the first version that both sides have. `preferred` is tried before the other optional ones. Returns `None`
    /// if they share no known version.
    pub(super) fn common_version(
        &self,
        theirs: &Self,
        preferred: ProtocolVersion,
    ) -> Option<ProtocolVersion> {
        let names = |words: &[String], version: &ProtocolVersion| words.contains(&version.capability());
        let required = ProtocolVersion::ALL.into_iter().find(|version| names(&theirs.mandatory, version));
        let is_common = |version: &ProtocolVersion| {
            let word = version.capability();
            self.has(&word) && theirs.has(&word)
        };
        let mut offered = core::iter::once(preferred).chain(ProtocolVersion::ALL);
        required.or_else(|| offered.find(is_common))
    }

    /// Returns the mandatory capability that names a version or variant of Freeciv, such as `Freeciv-3.3-network`.
    pub(super) fn required_version(&self) -> Option<&str> {
        let names_version =
            |word: &&String| word.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("freeciv"));
        self.mandatory.iter().find(names_version).map(String::as_str)
    }

    /// Returns the elements of `variant_capabilities` that both sides have. They select the variants of packets.
    pub fn active<'f>(&self, theirs: &Self, variant_capabilities: &'f [String]) -> Vec<&'f str> {
        active_capabilities(variant_capabilities, &self.text, &theirs.text)
    }
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32";

    fn list(text: &str) -> Capabilities {
        Capabilities::parse(text).unwrap()
    }

    #[test]
    fn sides_agree_if_both_have_all_mandatory_capabilities() {
        assert_eq!(list(OURS).check_compatible(&list(OURS)), Ok(()));
        assert_eq!(list(OURS).check_compatible(&list("Freeciv-3.0-network,year32")), Ok(()));
        assert_eq!(list("a").check_compatible(&list("")), Ok(()));
    }

    #[test]
    fn f9_a_missing_mandatory_capability_is_reported_with_the_side_that_lacks_it() {
        let asked = list(&format!("{OURS} +x"));
        assert_eq!(list(OURS).check_compatible(&asked), Err(MissingCapability::Ours("x".into())));
        assert_eq!(asked.check_compatible(&list(OURS)), Err(MissingCapability::Theirs("x".into())));
        let newer = list("+Freeciv-3.1-network city-original rsdesc32 obsinv ids32");
        let error = list(OURS).check_compatible(&newer).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the other side requires the capability Freeciv-3.1-network, which we lack"
        );
    }

    #[test]
    fn the_required_version_decides_and_then_the_preferred_of_the_common_ones() {
        use ProtocolVersion::{V3_0, V3_1, V3_2};
        let all = list("Freeciv-3.0-network Freeciv-3.1-network Freeciv-3.2-network");
        assert_eq!(all.common_version(&list("Freeciv-3.0-network +Freeciv-3.1-network"), V3_0), Some(V3_1));
        assert_eq!(all.common_version(&all, V3_2), Some(V3_2));
        assert_eq!(list("Freeciv-3.1-network").common_version(&all, V3_0), Some(V3_1));
        assert_eq!(all.common_version(&list("x"), V3_0), None);
        assert_eq!(list("+x +freeciv21.3").required_version(), Some("freeciv21.3"));
        assert_eq!(list("+x Freeciv-3.3-network").required_version(), None);
    }

    #[test]
    fn active_are_the_variant_capabilities_of_both_sides() {
        let functional = ["year32", "cityculture32", "pingfix"].map(str::to_owned);
        let theirs = list("+Freeciv-3.0-network,+year32,pingfix");
        assert_eq!(list(OURS).active(&theirs, &functional), ["year32", "pingfix"]);
        assert!(list(OURS).active(&list("pingfixx +"), &functional).is_empty());
    }

    #[test]
    fn f9_a_list_of_maximum_length_is_parsed_and_a_longer_one_is_an_error() {
        let longest = "x ".repeat(255) + "y";
        assert!(list(&longest).has("y"));
        assert_eq!(longest.len(), Capabilities::MAX_BYTES);
        assert_eq!(Capabilities::parse(&(longest + "z")), Err(CapabilityError { length: 512 }));
        let many: String = (0..10_000).map(|number| format!("+c{number} ")).collect();
        assert!(Capabilities::parse(&many).is_err());
    }
}
