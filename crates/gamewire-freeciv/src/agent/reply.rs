use serde::Serialize;

use super::view::{LegalActionView, LegalEntryView, Part, WorldView};
use crate::legal::{Actor, LegalEntry};
use crate::play::{OrderOutcome, OrderReply};
use crate::world::{LegalAction, World};

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// The server executed the order, or the question was answered.
    Done,
    /// The server answered with text alone, which does not show whether it executed the order: most of all a command
    /// that starts with `/`. A command that becomes a vote, a start that waits for other players, and a command during
    /// which the server logged an error are also answered.
    Answered,
    /// The server refused the order, or failed to load a game.
    Refused,
    /// The server did not react, so nothing changed.
    Silent,
    /// The server does not offer the action, or it is not the player's phase. Nothing was sent, apart from the question.
    Illegal,
    /// The command cannot be sent, for example because it names a unit that does not exist.
    Error,
    /// The connection closed before the server processed the command.
    Unanswered,
}

/// The reply to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The outcome.
    pub outcome: CommandOutcome,
    /// The messages of the server, or the error. Lines are separated by newlines.
    pub text: Option<String>,
    /// The answer to a question.
    pub answer: Option<Answer>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The world has these parts. [`ReplyView`] describes them.
    World(Vec<Part>),
    /// The legal actions of a unit, by tile.
    LegalActions {
        /// Id of the unit.
        unit: u32,
        /// The actions on each tile of the question.
        tiles: Vec<TileActions>,
    },
    /// The legal actions of all actors, or of the changed ones.
    LegalList {
        /// The actors that changed, also those that are gone; `None` if the list has all actors.
        changed: Option<Vec<Actor>>,
        /// The actions.
        entries: Vec<LegalEntry>,
    },
    /// The price of an action in gold.
    Price(u32),
    /// A name for a new city.
    CityName(String),
}

/// The legal actions of a unit on one tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileActions {
    /// Number of the tile.
    pub tile: i32,
    /// The actions.
    pub actions: Vec<LegalAction>,
}

impl Reply {
    pub(super) const fn answer(answer: Answer) -> Self {
        Self { outcome: CommandOutcome::Done, text: None, answer: Some(answer) }
    }

    /// Creates the reply with the legal actions of a unit. Without an answer of the server for any tile, it is silent.
    pub(super) const fn legal_actions(unit: u32, tiles: Vec<TileActions>) -> Self {
        let outcome = if tiles.is_empty() { CommandOutcome::Silent } else { CommandOutcome::Done };
        Self { outcome, text: None, answer: Some(Answer::LegalActions { unit, tiles }) }
    }

    pub(super) const fn failed(outcome: CommandOutcome, text: String) -> Self {
        Self { outcome, text: Some(text), answer: None }
    }

    /// Creates the reply to an order from the server's reply.
    pub(super) fn to_order(reply: &OrderReply, answer: Option<Answer>) -> Self {
        let outcome = match &reply.outcome {
            OrderOutcome::Done => CommandOutcome::Done,
            OrderOutcome::Answered => CommandOutcome::Answered,
            OrderOutcome::Refused(text) => {
                return Self { answer, ..Self::failed(CommandOutcome::Refused, text.clone()) };
            }
            OrderOutcome::Silent => CommandOutcome::Silent,
        };
        let texts: Vec<&str> = reply.messages.iter().map(|message| message.text.as_str()).collect();
        Self { outcome, text: (!texts.is_empty()).then(|| texts.join("\n")), answer }
    }
}

/// A reply as serde prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplyView<'a> {
    /// The outcome.
    pub outcome: CommandOutcome,
    /// The messages of the server, or the error.
    pub text: Option<&'a str>,
    /// The answer to a question.
    pub answer: Option<AnswerView<'a>>,
}

/// The answer to a question as serde prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AnswerView<'a> {
    /// Parts of the world.
    World(Box<WorldView<'a>>),
    /// The legal actions of a unit.
    LegalActions {
        /// Id of the unit.
        unit: u32,
        /// The actions of all tiles.
        actions: Vec<LegalActionView<'a>>,
    },
    /// All legal actions.
    LegalList {
        /// The actors that changed; `None` if the list has all actors.
        #[serde(skip_serializing_if = "Option::is_none")]
        changed: Option<Vec<Actor>>,
        /// The actions.
        actions: Vec<LegalEntryView<'a>>,
    },
    /// A price.
    Price {
        /// The price in gold.
        price: u32,
    },
    /// The name of a city.
    CityName {
        /// The name.
        name: &'a str,
    },
}

impl<'a> ReplyView<'a> {
    /// Describes a reply. Parts of the world are described as they are now.
    pub fn new(world: &'a World, reply: &'a Reply) -> Self {
        let answer = reply.answer.as_ref().map(|answer| match answer {
            Answer::World(parts) => AnswerView::World(Box::new(WorldView::new(world, parts))),
            Answer::LegalActions { unit, tiles } => AnswerView::LegalActions {
                unit: *unit,
                actions: tiles
                    .iter()
                    .flat_map(|on| on.actions.iter().map(|action| LegalActionView::new(action, on.tile)))
                    .collect(),
            },
            Answer::LegalList { changed, entries } => AnswerView::LegalList {
                changed: changed.clone(),
                actions: entries.iter().filter_map(|entry| LegalEntryView::new(world, entry)).collect(),
            },
            Answer::Price(price) => AnswerView::Price { price: *price },
            Answer::CityName(name) => AnswerView::CityName { name },
        });
        Self { outcome: reply.outcome, text: reply.text.as_deref(), answer }
    }
}
