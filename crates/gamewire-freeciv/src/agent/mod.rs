//! A player that a program controls by commands, such as an agent.
//!
//! An [`Agent`] is a [`Machine`](gamewire_machine::Machine) on top of a [`Player`](crate::play::Player). A program gives
//! it [`Command`]s, by the names of the ruleset. Each command gets exactly one [`Event::Reply`] with the command's id,
//! also if the connection closes before the server has processed it. [`Event::Entered`] says that the program can act:
//! [`view`] describes the world to act on, and later events say what changed.
//!
//! The commands and the descriptions are the words of `gamewire play`, whose lines are this module's types as JSON.

#[allow(clippy::module_inception, reason = "the agent itself, next to its parts")]
mod agent;
mod changes;
mod command;
mod event;
mod execute;
mod machine;
mod order;
mod pending;
mod reply;
pub mod view;

pub use agent::{Agent, AgentConfig};
pub use changes::{Changes, ChangesView};
pub use command::{ClauseValue, Command, FieldValue, RuleRef};
pub use event::{CommandId, Event};
pub use execute::ExecuteError;
pub use reply::{Answer, AnswerView, Outcome, Reply, ReplyView, TileActions};
