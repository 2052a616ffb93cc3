use core::fmt::Debug;
use std::sync::Arc;

use gamewire_inspect::conversation::{PacketMeta, PacketSource, StreamOffset};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::Catalog;
use gamewire_inspect::time::DisplayTime;
use gamewire_machine::{Record, Role};
use thiserror::Error;

use super::table::{File, Table};
use crate::Side;
use crate::hook::{Action, MessageHook};

/// Rules for messages: which they match, and what is done with them. They are a [`MessageHook`].
///
/// They are tables of a TOML file:
///
/// ```toml
/// [[rule]]
/// match = 'teeworlds.chat.text contains "spam"'
/// from = "client"
/// action = "drop"
///
/// [[rule]]
/// match = "teeworlds.say"
/// action = "set"
/// field = "text"
/// value = "***"
///
/// [[rule]]
/// match = "riptide.reliable.id == 7"
/// action = "delay"
/// milliseconds = 500
/// ```
///
/// `match` is a filter. `action` is `drop`, `delay`, `duplicate` or `set`. The first rule that matches and does not set a
/// field decides; a message that no rule matches is sent on.
#[derive(Clone, Debug)]
pub struct Rules<G> {
    rules: Arc<[Rule]>,
    game: G,
    record: Record,
}

/// How rules read and change the messages of a game.
pub trait RuleMessages: Clone + Debug + Send {
    /// The game's type of a message.
    type Message: Clone;

    /// Adds the names that filters may use in addition to those of all protocols.
    fn add_names(&self, catalog: &mut Catalog);

    /// Records a message as a follower would, and returns what a filter may ask of its packet; `None` if it cannot be
    /// decoded.
    fn trace(&self, from: Role, message: &Self::Message, record: &mut Record) -> Option<PacketMeta<'static>>;

    /// Checks what a rule wants to set: a field, or a part of one such as `list[2]`.
    ///
    /// # Errors
    /// No message has it, or it cannot be set: why, and what to write.
    fn check_field(&self, field: &str) -> Result<(), String> {
        let _ = field;
        Ok(())
    }

    /// Returns the message with another value of a field, or of a part of it; `None` if it has no such field, or the value does not fit.
    fn with_field(
        &self,
        from: Role,
        message: &Self::Message,
        field: &str,
        value: &str,
    ) -> Option<Self::Message>;
}

/// One rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) filter: Filter,
    pub(super) from: Option<Side>,
    pub(super) action: RuleAction,
}

#[derive(Debug)]
pub(super) enum RuleAction {
    Decide(Action),
    Set { field: String, value: String },
}

/// Why rules cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The text is not the TOML of rules.
    #[error("{0}")]
    Toml(String),
    /// A rule is not valid.
    #[error("rule {number}: {reason}")]
    Rule {
        /// Number of the rule, from 1.
        number: usize,
        /// The mistake, and what to write.
        reason: String,
    },
}

impl<G: RuleMessages> Rules<G> {
    /// Parses rules for the messages of a game.
    ///
    /// # Errors
    /// The text is not TOML, or a rule is not valid.
    pub fn parse(text: &str, game: G) -> Result<Self, RulesError> {
        let file: File = toml::from_str(text).map_err(|error| RulesError::Toml(error.to_string()))?;
        let mut catalog = Catalog::with_all_protocols();
        game.add_names(&mut catalog);
        let rules = file.rule.into_iter().zip(1..).map(|(table, number): (Table, usize)| {
            let rule = table.into_rule(&catalog).and_then(|rule| {
                if let RuleAction::Set { field, .. } = &rule.action {
                    game.check_field(field).map_err(|reason| format!("cannot set {field}: {reason}"))?;
                }
                Ok(rule)
            });
            rule.map_err(|reason| RulesError::Rule { number, reason })
        });
        Ok(Self { rules: rules.collect::<Result<_, _>>()?, game, record: Record::new() })
    }
}

impl<G: RuleMessages> MessageHook<G::Message> for Rules<G> {
    fn on_message(&mut self, from: Side, message: &mut G::Message) -> Action {
        let role = if from == Side::Client { Role::Client } else { Role::Server };
        let Self { rules, game, record } = self;
        for rule in rules.iter().filter(|rule| rule.from.is_none_or(|side| side == from)) {
            record.clear();
            let Some(meta) = game.trace(role, message, record) else { return Action::Forward };
            if !rule.filter.holds(meta, record) {
                continue;
            }
            match &rule.action {
                RuleAction::Decide(action) => return *action,
                RuleAction::Set { field, value } => {
                    if let Some(changed) = game.with_field(role, message, field, value) {
                        *message = changed;
                    }
                }
            }
        }
        Action::Forward
    }
}

/// Returns what a filter may ask of a message that is in no packet.
pub(crate) const fn message_meta(
    protocol: &'static str,
    dialect: Option<&'static str>,
    sender: Role,
    length: usize,
) -> PacketMeta<'static> {
    PacketMeta {
        number: 0,
        protocol,
        dialect,
        sender,
        length,
        time: DisplayTime::Seconds(0),
        source: PacketSource::File(StreamOffset { offset: 0, inflated: None }),
    }
}
