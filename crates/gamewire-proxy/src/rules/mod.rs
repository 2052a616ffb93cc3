//! Rules from a file that drop, delay, duplicate or change messages.

#[allow(clippy::module_inception, reason = "the rules themselves")]
mod rules;
mod table;

pub use rules::{RuleMessages, Rules, RulesChange, RulesError};
pub(crate) use rules::{check_name, message_meta};
