//! Lines that all Freeciv clients print.

use gamewire_freeciv::agent::view::EventView;
use gamewire_freeciv::agent::{CommandOutcome, Reply, ReplyView};
use gamewire_freeciv::world::World;
use serde::Serialize;
use serde_json::Value as Json;

use crate::output::{OutputEvent, event};

/// The number of the format of `play` and of `join` on a Freeciv server. It increases with a change that a program must
/// handle: 2 has the event `state`, and a reply to every line.
const FORMAT: u32 = 2;

/// Describes the format: the first line.
pub(crate) fn format() -> OutputEvent {
    event!("format", number: FORMAT, gamewire: env!("CARGO_PKG_VERSION"))
}

/// The reply to a line.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "reply")]
pub(crate) struct ReplyLine<'a> {
    /// The id of the line.
    id: Json,
    #[serde(flatten)]
    reply: ReplyView<'a>,
}

impl<'a> ReplyLine<'a> {
    pub(crate) fn new(id: Json, reply: &'a Reply, world: &'a World) -> Self {
        Self { id, reply: ReplyView::new(world, reply) }
    }
}

/// Returns the reply to a line that was not executed.
pub(crate) const fn rejection(error: String) -> Reply {
    Reply { outcome: CommandOutcome::Error, text: Some(error), answer: None }
}

/// Returns an event as text shows it, or `None` if it is for programs only.
pub(crate) fn text_form(view: &EventView<'_>) -> Option<OutputEvent> {
    let owned = |text: &str| text.to_owned();
    Some(match view {
        EventView::Joined { message, .. } => event!("joined", message: owned(message)),
        EventView::Playing { player: None, .. } => event!("playing", player: "no player"),
        EventView::Playing { player, name } => {
            event!("playing", player: *player, name: name.as_deref().map(owned))
        }
        EventView::Watching { player: None, .. } => event!("watching", player: "the whole game"),
        EventView::Watching { player, name } => {
            event!("watching", player: *player, name: name.as_deref().map(owned))
        }
        EventView::Message { text, .. } => message(text),
        EventView::GameEnded { turn, players } => {
            let winners = players.iter().filter(|player| player.won);
            let names: Vec<_> = winners.filter_map(|player| player.name.as_deref()).collect();
            let winners = if names.is_empty() { owned("nobody") } else { names.join(", ") };
            event!("game_ended", turn: *turn, winners: winners)
        }
        EventView::NationDestroyed { turn } => event!("nation_destroyed", turn: *turn),
        EventView::Closed { by, reason } => event!("closed", by: *by, reason: reason.clone()),
        _ => return None,
    })
}

/// Describes a line of text.
pub(crate) fn message(text: &str) -> OutputEvent {
    event!("message", text: text.trim_end().to_owned())
}
