use std::collections::BTreeMap;

use serde::Deserialize;

use crate::ir::ArrayDiff;

/// What a packet definition leaves to C headers.
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
    /// What the version is called.
    #[serde(default)]
    pub name: String,
    /// How array-diff is sent in this version.
    #[serde(default, with = "ArrayDiffWord")]
    pub array_diff: ArrayDiff,
    /// The constants that sizes are made of.
    #[serde(default)]
    pub constants: BTreeMap<String, i64>,
    /// The bitvectors by their C type, in bytes.
    #[serde(default)]
    pub bitvectors: BTreeMap<String, u32>,
}

/// The words for the forms of array-diff.
#[derive(Deserialize)]
#[serde(remote = "ArrayDiff", rename_all = "kebab-case")]
enum ArrayDiffWord {
    #[serde(rename = "end-255")]
    End255,
    EndLength,
}

/// A file of constants that is none: what is wrong, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConstantsError(String);

impl Constants {
    /// Reads a file of constants.
    ///
    /// # Errors
    ///
    /// It is no TOML, or says something else than this.
    pub fn from_toml(text: &str) -> Result<Self, ConstantsError> {
        toml::from_str(text).map_err(|error| ConstantsError(error.to_string().trim_end().to_owned()))
    }
}
