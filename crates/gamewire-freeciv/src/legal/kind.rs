//! The kinds of legal actions.

use crate::number::Action;

/// Defines the kinds that are not actions of the ruleset.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal;)+) => {
        /// A kind of legal action, with the same name in every version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LegalKind {
            $($(#[$doc])* $kind,)+
            /// An action that the server offers, such as to found a city.
            Act(Action),
        }

        impl LegalKind {
            /// The kinds that are not actions of the ruleset.
            pub const OWN: &'static [Self] = &[$(Self::$kind,)+];

            /// Returns the name: words joined by underscores.
            pub fn name(self) -> String {
                match self {
                    $(Self::$kind => $name.to_owned(),)+
                    Self::Act(action) => action.name().replace(' ', "_"),
                }
            }
        }
    };
}

kinds! {
    /// Moves a unit to a neighbor tile.
    Move "move";
    /// Fortifies a unit.
    Fortify "fortify";
    /// Lets a unit sleep until another unit is near.
    Sentry "sentry";
    /// Ends the activity and the orders of a unit.
    Stop "stop";
    /// Lets the server move a unit to explore.
    Explore "explore";
    /// Lets the server choose the work of a unit.
    AutoWork "auto_work";
    /// Builds an extra, such as a road, irrigation or a mine.
    Build "build";
    /// Changes the terrain by irrigation.
    Cultivate "cultivate";
    /// Changes the terrain by planting.
    Plant "plant";
    /// Transforms the terrain.
    Transform "transform";
    /// Destroys an extra.
    Pillage "pillage";
    /// Removes an extra, such as pollution.
    Clean "clean";
    /// Converts a unit to another type.
    Convert "convert";
    /// Loads a unit into another one on the same tile.
    Load "load";
    /// Unloads a unit from its transporter on the same tile.
    Unload "unload";
    /// Changes the production of a city.
    Produce "produce";
    /// Buys the production of a city.
    Buy "buy";
    /// Sells a building.
    Sell "sell";
    /// Adds an item to the end of the worklist.
    AddToWorklist "add_to_worklist";
    /// Removes all items of the worklist.
    ClearWorklist "clear_worklist";
    /// Turns the worker of a tile into a specialist.
    MakeSpecialist "make_specialist";
    /// Puts a specialist to work on a tile.
    MakeWorker "make_worker";
    /// Changes the kind of a specialist.
    ChangeSpecialist "change_specialist";
    /// Sends the next new unit of a city to a neighbor tile.
    Rally "rally";
    /// Removes the rally point of a city.
    ClearRally "clear_rally";
    /// Researches an advance.
    Research "research";
    /// Aims research at an advance.
    ResearchGoal "research_goal";
    /// Sets the tax rates.
    TaxRates "tax_rates";
    /// Starts a revolution.
    Government "government";
    /// Starts a meeting with a player.
    Meet "meet";
    /// Cancels a meeting.
    CancelMeeting "cancel_meeting";
    /// Adds a clause to the treaty of a meeting.
    AddClause "add_clause";
    /// Removes a clause from the treaty of a meeting.
    RemoveClause "remove_clause";
    /// Accepts the treaty of a meeting, or withdraws the acceptance.
    AcceptTreaty "accept_treaty";
    /// Cancels the pact with a player.
    CancelPact "cancel_pact";
    /// Ends shared vision with a player.
    EndSharedVision "end_shared_vision";
    /// Ends the turn, or the phase in a game with phases.
    EndTurn "end_turn";
}

impl LegalKind {
    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        let own = Self::OWN.iter().copied().find(|kind| kind.name() == name);
        own.or_else(|| Action::named(&name.replace('_', " ")).map(Self::Act))
    }
}
