//! Rules from a file: which messages are dropped, delayed, repeated or changed.

#[allow(clippy::module_inception, reason = "the rules themselves")]
mod rules;
mod table;

pub(crate) use rules::message_meta;
pub use rules::{RuleMessages, Rules, RulesError};
