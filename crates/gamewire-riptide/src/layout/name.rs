//! Interned names. Errors and traces take `&'static str`, so names are never freed.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Maximum bytes of a name.
pub(super) const MAX_LENGTH: usize = 64;
/// Maximum number of different names of a program.
const MAX_NAMES: usize = 65_536;

static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

/// Interns a name. It is never freed.
pub(super) fn intern(name: &str) -> Result<&'static str, String> {
    let is_first = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let is_name = name.as_bytes().first().is_some_and(is_first)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name || name.len() > MAX_LENGTH {
        let shown: String = name.chars().take(MAX_LENGTH).flat_map(char::escape_debug).collect();
        return Err(format!(
            "\"{shown}\" is not a name: use a letter and then up to {} letters, digits or _",
            MAX_LENGTH.saturating_sub(1)
        ));
    }
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    if let Some(known) = names.get(name) {
        return Ok(known);
    }
    if names.len() >= MAX_NAMES {
        return Err(format!("there are more than {MAX_NAMES} different names"));
    }
    let interned: &'static str = String::from(name).leak();
    names.insert(interned);
    Ok(interned)
}
