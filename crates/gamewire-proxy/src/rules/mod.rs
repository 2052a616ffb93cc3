//! Rules from a file that drop, delay, duplicate or change messages.

#[allow(clippy::module_inception, reason = "the rules themselves")]
mod rules;
mod table;

pub(crate) use rules::message_meta;
pub use rules::{RuleMessages, Rules, RulesError};
