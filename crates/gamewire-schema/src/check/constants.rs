use std::collections::BTreeMap;

use serde::Deserialize;

use crate::ir::ArrayDiff;

/// The constants and bitvector sizes of a definition, which Freeciv keeps in C headers.
///
/// ```
/// let constants = gamewire_schema::Constants::from_toml(r#"
///     name = "freeciv-3.0"
///     array-diff = "end-255"
///     [constants]
///     MAX_LEN_NAME = 48
///     [bitvectors]
///     bv_extras = 16
/// "#).unwrap();
/// assert_eq!(constants.bitvectors["bv_extras"], 16);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Constants {
    /// Name of the version.
    #[serde(default)]
    pub name: String,
    /// Encoding of array-diff in this version.
    #[serde(default)]
    pub array_diff: ArrayDiff,
    /// Constants in sizes.
    #[serde(default)]
    pub constants: BTreeMap<String, i64>,
    /// Sizes of bitvectors in bytes, by their C type.
    #[serde(default)]
    pub bitvectors: BTreeMap<String, u32>,
}

/// An invalid file of constants: the error, with its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConstantsError(String);

impl Constants {
    /// Parses a file of constants.
    ///
    /// # Errors
    /// If the text is not TOML or has unknown or invalid keys.
    pub fn from_toml(text: &str) -> Result<Self, ConstantsError> {
        toml::from_str(text).map_err(|error| ConstantsError(error.to_string().trim_end().to_owned()))
    }
}
