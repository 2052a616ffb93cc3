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

#[cfg(test)]
mod tests {
    use gamewire_freeciv::agent::view::RankView;

    use super::*;

    #[test]
    fn text_has_what_a_person_needs_of_an_event() {
        let text = |view: &EventView<'_>| text_form(view).map(|line| line.lines().1);
        let rank = |name: &'static str, won| RankView { player: 1, name: Some(name.into()), score: 9, won };
        for (view, expected) in [
            (
                EventView::Joined { connection: 2, message: "Welcome.", capabilities: "+x".into() },
                "joined       Welcome.",
            ),
            (
                EventView::Playing { player: Some(1), name: Some("Ann".into()) },
                "playing      player 1, name Ann",
            ),
            (EventView::Playing { player: None, name: None }, "playing      no player"),
            (EventView::Watching { player: None, name: None }, "watching     the whole game"),
            (
                EventView::Message { text: "hi\u{1b}[2J", number: 5, turn: 1, tile: None, connection: None },
                r"message      hi\x1b[2J",
            ),
            (
                EventView::GameEnded { turn: 7, players: vec![rank("Ann", true), rank("Bob", false)] },
                "game_ended   turn 7, winners Ann",
            ),
            (EventView::NationDestroyed { turn: 7 }, "nation_destroyed turn 7"),
            (EventView::Closed { by: "us", reason: "left".into() }, "closed       by us, reason left"),
        ] {
            assert_eq!(text(&view), Some(format!("   0.000  {expected}")));
        }
        assert_eq!(text(&EventView::Turn { turn: 1, year: -4000, score: None, gold: None }), None);
    }

    #[test]
    fn a_reply_has_the_id_of_its_line_and_all_members() {
        let (world, reply) = (World::new(), rejection("no such unit".into()));
        let line = serde_json::to_string(&ReplyLine::new(7.into(), &reply, &world)).unwrap();
        assert_eq!(line, r#"{"event":"reply","id":7,"outcome":"error","text":"no such unit","answer":null}"#);
    }
}
