use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// A line of standard input.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// The id of the request, which the reply repeats.
    pub(super) id: Json,
    pub(super) command: Command,
}

impl Request {
    /// Parses a line of JSON, or returns an error message.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let mut fields: Map<String, Json> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let id = fields.remove("id").unwrap_or_default();
        Ok(Self { id, command: crate::controls::command(fields)? })
    }
}

/// A part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    Game,
    Me,
    Players,
    Cities,
    Units,
    Tiles,
    Rules,
    Meetings,
}

/// The value of a treaty clause.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum ClauseValue {
    /// An amount of gold, the id of a city, or 0.
    Number(u32),
    /// The name of an advance.
    Advance(String),
}

/// A command of standard input: a query, or an order that is one packet.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    World { parts: Option<Vec<Part>> },
    LegalActions { unit: u32, tile: Option<i32> },
    Act { unit: u32, action: String, tile: Option<i32>, sub_target: Option<u8>, name: Option<String> },
    Price { unit: u32, action: String, tile: Option<i32> },
    CityName { unit: u32 },
    Leave {},
    EndTurn {},
    Say { text: String },
    Move { unit: u32, direction: String },
    GoTo { unit: u32, tile: i32 },
    Fortify { unit: u32 },
    Sentry { unit: u32 },
    Stop { unit: u32 },
    Explore { unit: u32 },
    AutoWork { unit: u32 },
    Convert { unit: u32 },
    Transform { unit: u32 },
    Irrigate { unit: u32 },
    Mine { unit: u32 },
    CleanPollution { unit: u32 },
    CleanFallout { unit: u32 },
    Build { unit: u32, extra: String },
    Pillage { unit: u32, extra: Option<String> },
    Disband { unit: u32 },
    Load { unit: u32, carrier: u32 },
    Unload { unit: u32, carrier: u32 },
    UpgradeType { unit_type: String },
    Produce { city: u32, item: String },
    Worklist { city: u32, items: Vec<String> },
    Buy { city: u32 },
    Sell { city: u32, building: String },
    RenameCity { city: u32, name: String },
    MakeSpecialist { city: u32, tile: i32 },
    MakeWorker { city: u32, tile: i32 },
    ChangeSpecialist { city: u32, from: u8, to: u8 },
    RallyPoint { city: u32, path: Vec<String>, persistent: Option<bool> },
    Research { advance: String },
    ResearchGoal { advance: String },
    Government { government: String },
    TaxRates { tax: u8, luxury: u8, science: u8 },
    Meet { player: u16 },
    AddClause { player: u16, giver: u16, clause: String, value: ClauseValue },
    RemoveClause { player: u16, giver: u16, clause: String, value: ClauseValue },
    AcceptTreaty { player: u16 },
    CancelMeeting { player: u16 },
    CancelPact { player: u16 },
    EndSharedVision { player: u16 },
    EndSharedTiles { player: u16 },
    Vote { vote: u32, value: i8 },
    LaunchSpaceship {},
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_commands() {
        crate::controls::check_commands::<Command>(include_str!(
            "../../../../docs/schema/play-freeciv.commands.json"
        ));
    }

    #[test]
    fn the_id_of_a_line_is_kept_and_other_fields_are_refused() {
        let request = Request::parse(r#"{"command": "buy", "city": 5, "id": "a"}"#).unwrap();
        assert_eq!(request.id, "a");
        assert!(matches!(request.command, Command::Buy { city: 5 }));
        assert!(Request::parse(r#"{"command": "buy", "city": 5}"#).unwrap().id.is_null());
        let error = Request::parse(r#"{"command": "buy", "town": 5}"#).unwrap_err();
        assert!(error.contains("unknown field `town`"), "{error}");
        assert!(Request::parse("[]").is_err());
    }
}
