use gamewire_freeciv::number::Action;
use gamewire_freeciv::world::LegalAction;
use serde_json::Value as Json;

/// A command that waits for the server.
pub(super) struct Pending {
    /// The id of the command.
    pub(super) id: Json,
    pub(super) step: Step,
}

/// The use of the server's reply.
pub(super) enum Step {
    /// It is the reply to the command.
    Reply,
    /// It is the reply to the end of a turn.
    Turn,
    /// It has the legal actions for one tile; the last one completes the reply.
    Legal { unit: u32, tile: i32, is_last: bool },
    /// It lists the legal actions; one of them is performed.
    Perform { action: String, sub_target: Option<u8>, name: Option<String> },
    /// It lists the legal actions; the price of one of them is asked.
    Price { action: String },
}

/// Returns the legal action with this name, or with this number on the wire.
pub(super) fn find<'a>(legal: &'a [LegalAction], named: &str) -> Option<&'a LegalAction> {
    let action = Action::named(named);
    legal
        .iter()
        .find(|legal| (legal.action.is_some() && legal.action == action) || legal.id.to_string() == named)
}
