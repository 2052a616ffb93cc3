use gamewire_freeciv::number::Action;
use gamewire_freeciv::world::LegalAction;
use serde_json::Value as Json;

/// A command that waits for the server.
pub(super) struct Pending {
    /// The id of the command.
    pub(super) id: Json,
    pub(super) step: Step,
}

/// The step of a command that the server's reply completes.
pub(super) enum Step {
    /// The reply completes the command.
    Reply,
    /// The reply completes the end of a turn.
    Turn,
    /// The reply has the legal actions for one tile. The last such reply completes the command.
    Legal { unit: u32, tile: i32, is_last: bool },
    /// The reply lists the legal actions. Next, the client performs one of them.
    Perform { action: String, sub_target: Option<u8>, name: Option<String> },
    /// The reply lists the legal actions. Next, the client queries the price of one of them.
    Price { action: String },
}

/// Returns the legal action with this name, or with this number on the wire.
pub(super) fn find<'a>(legal: &'a [LegalAction], named: &str) -> Option<&'a LegalAction> {
    let action = Action::named(named);
    legal
        .iter()
        .find(|legal| (legal.action.is_some() && legal.action == action) || legal.id.to_string() == named)
}
