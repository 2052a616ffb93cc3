use std::collections::{BTreeMap, HashMap};

use super::event::CommandId;
use super::reply::TileActions;
use crate::number::Action;
use crate::play::OrderId;
use crate::world::LegalAction;

/// The commands that have no reply yet.
#[derive(Debug, Default)]
pub(super) struct PendingCommands {
    next: u64,
    /// The legal actions that the server has sent so far, for each command without a reply.
    commands: BTreeMap<CommandId, Vec<TileActions>>,
    /// The orders that the server has not processed.
    orders: HashMap<OrderId, PendingOrder>,
}

/// An order of a command.
#[derive(Debug)]
pub(super) struct PendingOrder {
    pub(super) command: CommandId,
    pub(super) step: Step,
}

/// The step of a command that the server's reply completes.
#[derive(Debug)]
pub(super) enum Step {
    /// The reply completes the command.
    Reply,
    /// The reply completes a line of chat.
    Chat,
    /// The reply completes the end of a turn.
    Turn,
    /// The reply has the legal actions for one tile. The last such reply completes the command.
    Legal { unit: u32, tile: i32, is_last: bool },
    /// The reply has the actions of a unit on a tile for the list of all legal actions. The last such reply completes
    /// the command.
    ListPart { unit: u32, tile: i32, changed: bool, is_last: bool },
    /// The reply lists the legal actions on a tile. Next, the client performs one of them.
    Perform { unit: u32, tile: i32, wanted: WantedAction },
    /// The reply lists the legal actions on a tile. Next, the client asks for the price of one of them.
    Price { unit: u32, tile: i32, action: String },
    /// The reply suggests a name for a city. Next, the client founds it: by a legal action if one was found before.
    Name { unit: u32, action: Option<LegalAction> },
}

/// An action that a command wants to perform.
#[derive(Debug)]
pub(super) struct WantedAction {
    pub(super) action: String,
    pub(super) sub_target: Option<u8>,
    pub(super) name: Option<String>,
}

impl PendingCommands {
    /// Maximum number of commands without a reply.
    pub(super) const MAX_COMMANDS: usize = 1024;

    /// Adds a command; `None` if there are too many.
    pub(super) fn add(&mut self) -> Option<CommandId> {
        if self.commands.len() >= Self::MAX_COMMANDS {
            return None;
        }
        let id = CommandId(self.next);
        self.next = self.next.saturating_add(1);
        self.commands.insert(id, Vec::new());
        Some(id)
    }

    pub(super) fn expect(&mut self, order: OrderId, pending: PendingOrder) {
        self.orders.insert(order, pending);
    }

    pub(super) fn take(&mut self, order: OrderId) -> Option<PendingOrder> {
        self.orders.remove(&order)
    }

    /// Keeps the legal actions on a tile for a command.
    pub(super) fn collect(&mut self, command: CommandId, on: TileActions) {
        if let Some(tiles) = self.commands.get_mut(&command) {
            tiles.push(on);
        }
    }

    /// Returns the legal actions that were collected for a command, and forgets them.
    pub(super) fn take_collected(&mut self, command: CommandId) -> Vec<TileActions> {
        self.commands.get_mut(&command).map(core::mem::take).unwrap_or_default()
    }

    /// Removes a command that gets its reply. Returns false if it has its reply already.
    pub(super) fn finish(&mut self, command: CommandId) -> bool {
        self.commands.remove(&command).is_some()
    }

    /// Removes all commands, in their order.
    pub(super) fn finish_all(&mut self) -> impl Iterator<Item = CommandId> {
        self.orders.clear();
        core::mem::take(&mut self.commands).into_keys()
    }

    pub(super) fn len(&self) -> usize {
        self.commands.len()
    }

    /// Returns whether the end of a turn is pending.
    pub(super) fn is_ending_turn(&self) -> bool {
        self.orders.values().any(|order| matches!(order.step, Step::Turn))
    }
}

/// Returns the legal action with this name, or with this number on the wire.
pub(super) fn find<'a>(legal: &'a [LegalAction], named: &str) -> Option<&'a LegalAction> {
    let action = Action::named(named);
    legal
        .iter()
        .find(|legal| (legal.action.is_some() && legal.action == action) || legal.id.to_string() == named)
}
