use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::view::{Part, PartView};
use crate::delta::Value;
use crate::legal::{Actor, LegalTarget};

/// A command of a program: a question, or an order.
///
/// As JSON, the name of the command is the tag: `{"end_turn": {}}`. Names of rules are the untranslated names of the
/// ruleset, tiles are numbers, and directions are words such as `northwest`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the names of the fields say everything that the commands do not")]
pub enum Command {
    /// Asks for parts of the world. The default is [`Part::USUAL`].
    World { parts: Option<Vec<Part>> },
    /// Asks for the own units: [`Part::OwnUnits`].
    Units {},
    /// Asks for the own cities: [`Part::OwnCities`].
    Cities {},
    /// Lists all legal actions of the own player, or with `changed` those of the actors that changed since the last
    /// such list. With a unit, asks the server which actions it offers for the unit on a tile, or on its own tile and
    /// those around it.
    LegalActions { unit: Option<u32>, tile: Option<i32>, changed: Option<bool> },
    /// Performs a legal action of the list. A city that is founded gets the name, or the one that the server suggests.
    Perform {
        actor: Actor,
        kind: String,
        target: Option<LegalTarget>,
        part: Option<PartView<'static>>,
        name: Option<String>,
    },
    /// Performs an action, by name or number, if it is legal on a tile. The default is the tile of the unit.
    Act { unit: u32, action: String, tile: Option<i32>, sub_target: Option<u8>, name: Option<String> },
    /// Asks for the price of an action in gold.
    Price { unit: u32, action: String, tile: Option<i32> },
    /// Asks for a name for a city that a unit can found.
    CityName { unit: u32 },
    /// Leaves the game.
    Leave {},
    /// Ends the turn, or the phase in a game with phases.
    EndTurn {},
    /// Sends a line of chat, or a command of the server if it starts with `/`.
    Say { text: String },
    /// Founds a city. Without a name, the server suggests one.
    FoundCity { unit: u32, name: Option<String> },
    /// Moves a unit by one tile.
    Move { unit: u32, direction: String },
    /// Sends a unit to a tile. It continues in the next turns.
    GoTo { unit: u32, tile: i32 },
    /// Fortifies a unit.
    Fortify { unit: u32 },
    /// Lets a unit sleep until another unit is near.
    Sentry { unit: u32 },
    /// Ends the activity and the orders of a unit.
    Stop { unit: u32 },
    /// Lets the server move a unit to explore.
    Explore { unit: u32 },
    /// Lets the server choose the work of a unit.
    AutoWork { unit: u32 },
    /// Converts a unit to another type.
    Convert { unit: u32 },
    /// Transforms the terrain.
    Transform { unit: u32 },
    /// Irrigates, or builds the irrigation of the ruleset.
    Irrigate { unit: u32 },
    /// Mines, or builds the mine of the ruleset.
    Mine { unit: u32 },
    /// Removes pollution.
    CleanPollution { unit: u32 },
    /// Removes fallout.
    CleanFallout { unit: u32 },
    /// Builds an extra, such as a road.
    Build { unit: u32, extra: String },
    /// Destroys an extra, or the one that the server chooses.
    Pillage { unit: u32, extra: Option<String> },
    /// Disbands a unit.
    Disband { unit: u32 },
    /// Loads a unit into another one.
    Load { unit: u32, carrier: u32 },
    /// Unloads a unit from another one.
    Unload { unit: u32, carrier: u32 },
    /// Upgrades all units of a type.
    UpgradeType { unit_type: String },
    /// Changes the production of a city.
    Produce { city: u32, item: String },
    /// Replaces the worklist of a city.
    Worklist { city: u32, items: Vec<String> },
    /// Buys the production of a city.
    Buy { city: u32 },
    /// Sells a building.
    Sell { city: u32, building: String },
    /// Renames a city.
    RenameCity { city: u32, name: String },
    /// Turns the worker of a tile into a specialist.
    MakeSpecialist { city: u32, tile: i32 },
    /// Puts a specialist to work on a tile.
    MakeWorker { city: u32, tile: i32 },
    /// Changes the kind of a specialist, by id.
    ChangeSpecialist { city: u32, from: u8, to: u8 },
    /// Sets the path that new units of a city take.
    RallyPoint { city: u32, path: Vec<String>, persistent: Option<bool> },
    /// Researches an advance.
    #[serde(alias = "set_research")]
    Research { advance: RuleRef },
    /// Aims research at an advance.
    ResearchGoal { advance: RuleRef },
    /// Starts a revolution.
    Government { government: String },
    /// Sets the tax rates in percent.
    #[serde(alias = "set_tax_rates")]
    TaxRates { tax: u8, luxury: u8, science: u8 },
    /// Starts a meeting with a player.
    Meet { player: u16 },
    /// Adds a clause to the treaty of a meeting.
    AddClause { player: u16, giver: u16, clause: String, value: ClauseValue },
    /// Removes a clause from the treaty of a meeting.
    RemoveClause { player: u16, giver: u16, clause: String, value: ClauseValue },
    /// Accepts the treaty, or withdraws the acceptance.
    AcceptTreaty { player: u16 },
    /// Cancels a meeting.
    CancelMeeting { player: u16 },
    /// Cancels the pact with a player.
    CancelPact { player: u16 },
    /// Ends shared vision with a player.
    EndSharedVision { player: u16 },
    /// Ends the sharing of tiles with a player.
    EndSharedTiles { player: u16 },
    /// Votes: 1 for, -1 against, 0 abstains.
    Vote { vote: u32, value: i8 },
    /// Launches the spaceship.
    LaunchSpaceship {},
    /// Sends any packet of the protocol, for packets without a command. Fields that are not named are 0 or empty.
    Packet {
        packet: String,
        #[serde(default)]
        fields: BTreeMap<String, FieldValue>,
    },
}

/// A rule, by id or by its untranslated name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum RuleRef {
    /// The id.
    Id(u16),
    /// The name.
    Name(String),
}

/// The value of a treaty clause.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum ClauseValue {
    /// An amount of gold, the id of a city, or 0.
    Number(u32),
    /// The name of an advance.
    Advance(String),
}

/// The value of a packet's field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum FieldValue {
    /// A boolean.
    Bool(bool),
    /// A number, as an integer on the wire.
    Int(i64),
    /// A text.
    Text(String),
    /// An array, a bitvector or a structure.
    List(Vec<Self>),
}

impl From<&FieldValue> for Value {
    fn from(value: &FieldValue) -> Self {
        match value {
            FieldValue::Bool(value) => Self::Bool(*value),
            FieldValue::Int(value) => Self::Int(*value),
            FieldValue::Text(text) => Self::Text(text.clone().into_bytes()),
            FieldValue::List(items) => Self::List(items.iter().map(Self::from).collect()),
        }
    }
}
