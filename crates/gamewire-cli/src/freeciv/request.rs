use gamewire_freeciv::agent::Command;
use serde_json::{Map, Value as Json};

/// A line of standard input.
#[derive(Debug)]
pub(crate) struct Request {
    /// The id of the request, which the reply repeats.
    pub(crate) id: Json,
    /// The command, or an error message.
    pub(crate) command: Result<Command, String>,
}

impl Request {
    /// Makes a line of text a line of chat.
    pub(crate) fn say(line: &str) -> Self {
        Self { id: Json::Null, command: Ok(Command::Say { text: line.to_owned() }) }
    }

    /// Parses a line of JSON. The id is kept even if the command has an error.
    pub(crate) fn parse(line: &str) -> Self {
        match serde_json::from_str::<Map<String, Json>>(line) {
            Ok(mut fields) => {
                let id = fields.remove("id").unwrap_or_default();
                Self { id, command: crate::json_command::command(fields) }
            }
            Err(error) => Self { id: Json::Null, command: Err(error.to_string()) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_commands() {
        crate::json_command::check_commands::<Command>(include_str!(
            "../../../../docs/schema/play-freeciv.commands.json"
        ));
    }

    #[test]
    fn the_id_of_a_line_is_kept_also_if_its_command_has_an_error() {
        let request = Request::parse(r#"{"command": "buy", "city": 5, "id": "a"}"#);
        assert_eq!((request.id, request.command), ("a".into(), Ok(Command::Buy { city: 5 })));
        assert!(Request::parse(r#"{"command": "buy", "city": 5}"#).id.is_null());
        let request = Request::parse(r#"{"command": "buy", "town": 5, "id": 7}"#);
        assert_eq!(request.id, 7);
        let error = request.command.unwrap_err();
        assert!(error.contains("unknown field `town`"), "{error}");
        assert_eq!(Request::parse(r#"{"command": "fly", "id": 8}"#).id, 8);
        assert!(Request::parse("[]").command.is_err());
    }
}
