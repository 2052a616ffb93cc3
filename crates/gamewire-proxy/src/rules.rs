//! Rules from a file that drop, delay, duplicate or change messages.

mod table;

use core::fmt::Debug;
use std::sync::{Arc, PoisonError, RwLock};

use gamewire_inspect::conversation::{PacketMeta, PacketSource, StreamOffset};
use gamewire_inspect::filter::{Filter, suggestion};
use gamewire_inspect::protocol::Catalog;
use gamewire_inspect::time::DisplayTime;
use gamewire_machine::{Record, Role};
use thiserror::Error;

use self::table::{File, Table};
use crate::hook::{Action, MessageHook};

/// A [`MessageHook`] that applies rules. Each rule has a filter and an action.
///
/// The rules are tables of a TOML file:
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
/// `match` is a filter. `action` is `drop`, `delay`, `duplicate` or `set`. Rules apply in order: each matching `set`
/// rule changes a field, and the first other rule that matches decides. Messages without such a rule are forwarded.
///
/// Clones share the rules: [`Rules::replace`] replaces the rules of all clones.
#[derive(Clone, Debug)]
pub struct Rules<G> {
    rules: Arc<RwLock<Arc<[Rule]>>>,
    game: G,
    record: Record,
}

/// Access of rules to the messages of a game.
pub trait RuleMessages: Clone + Debug + Send {
    /// The game's message type.
    type Message: Clone;

    /// Adds the names that filters may use for this game, in addition to the names of all protocols.
    fn add_names(&self, catalog: &mut Catalog);

    /// Records a message as a follower would, and returns the packet metadata for filters. Returns `None` if the
    /// message cannot be decoded.
    fn trace(&self, from: Role, message: &Self::Message, record: &mut Record) -> Option<PacketMeta<'static>>;

    /// Checks the field of a `set` rule: the name of a field, or a part of a field such as `list[2]`.
    ///
    /// # Errors
    /// The reason if no message has the field or the field cannot be set, with a suggestion.
    fn check_field(&self, field: &str) -> Result<(), String>;

    /// Returns the message with a new value of a field or of a part of a field. Returns `None` if the message does not
    /// have the field, or if the value does not fit.
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
struct Rule {
    filter: Filter,
    from: Option<Role>,
    action: RuleAction,
    /// The rule in the file.
    table: Table,
}

#[derive(Debug)]
enum RuleAction {
    Decide(Action),
    Set { field: String, value: String },
}

/// The difference between two files of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesChange {
    /// Number of rules now.
    pub rules: usize,
    /// Number of rules that were not there before.
    pub added: usize,
    /// Number of rules that are not there any more.
    pub removed: usize,
}

/// An error in a file of rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The text is not TOML, or not a table of rules.
    #[error("{0}")]
    Toml(String),
    /// A rule is not valid.
    #[error("rule {number}: {reason}")]
    Rule {
        /// Number of the rule, from 1.
        number: usize,
        /// The mistake, with a suggestion.
        reason: String,
    },
}

impl<G: RuleMessages> Rules<G> {
    /// Parses rules for the messages of a game.
    ///
    /// # Errors
    /// [`RulesError`] if the text is not TOML, or if a rule is not valid.
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
        let rules = rules.collect::<Result<Arc<[Rule]>, _>>()?;
        Ok(Self { rules: Arc::new(RwLock::new(rules)), game, record: Record::new() })
    }

    /// Replaces the rules of this value and all its clones with the rules of `new`, from the next message on. Messages
    /// that an earlier rule delays are not affected.
    pub fn replace(&self, new: &Self) -> RulesChange {
        let (before, now) = (self.current(), new.current());
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&now);
        RulesChange { rules: now.len(), added: missing(&now, &before), removed: missing(&before, &now) }
    }

    fn current(&self) -> Arc<[Rule]> {
        Arc::clone(&self.rules.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the number of rules of `some` that `others` does not have.
fn missing(some: &[Rule], others: &[Rule]) -> usize {
    let mut others: Vec<&Table> = others.iter().map(|rule| &rule.table).collect();
    let is_missing = |rule: &&Rule| match others.iter().position(|other| **other == rule.table) {
        Some(index) => {
            others.swap_remove(index);
            false
        }
        None => true,
    };
    some.iter().filter(is_missing).count()
}

impl<G: RuleMessages> MessageHook<G::Message> for Rules<G> {
    fn on_message(&mut self, from: Role, message: &mut G::Message) -> Action {
        let rules = self.current();
        let Self { game, record, .. } = self;
        for rule in rules.iter().filter(|rule| rule.from.is_none_or(|role| role == from)) {
            record.clear();
            let Some(meta) = game.trace(from, message, record) else { return Action::Forward };
            if !rule.filter.holds(meta, record) {
                continue;
            }
            match &rule.action {
                RuleAction::Decide(action) => return *action,
                RuleAction::Set { field, value } => {
                    if let Some(changed) = game.with_field(from, message, field, value) {
                        *message = changed;
                    }
                }
            }
        }
        Action::Forward
    }
}

/// Checks that `known` has a name. `none` begins the sentence of the error, such as `no message`.
pub(crate) fn check_name<'a>(
    name: &str,
    none: &str,
    known: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    let known: Vec<&str> = known.collect();
    if known.contains(&name) {
        return Ok(());
    }
    Err(format!("{none} has a field {name}{}", suggestion(name, known.into_iter())))
}

/// Returns the packet metadata for filters of a message that is not in a packet.
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
