use core::time::Duration;

use serde_json::json;

use super::table::{DIALECTS, Table};
use crate::client::Command;
use crate::model::message::Input;

fn parse(command: serde_json::Value) -> Result<Command, String> {
    serde_json::from_value(command).map_err(|error| error.to_string())
}

#[test]
fn commands_as_json_send_their_messages() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        for command in [
            json!({"say": {"text": "hello"}}),
            json!({"emoticon": {"emoticon": "hearts"}}),
            json!({"set_team": {"team": "spectators"}}),
            json!({"spectate": {}}),
            json!({"vote": {"yes": false}}),
            json!({"call_vote": {"kind": "option", "value": "restart"}}),
            json!({"kill": {}}),
        ] {
            table.client.execute(&parse(command).unwrap()).unwrap();
        }
        // A line of chat leaves when its timer fires.
        table.pass(Duration::from_secs(1));
        let said = table.said_in_full();
        for expected in [
            "Say",
            "Emoticon(Emoticon(2))",
            "SetTeam(Team(-1))",
            "Spectate(None)",
            "Vote(-1)",
            "CallVote",
            "Kill",
        ] {
            let count = said.iter().filter(|said| said.starts_with(expected)).count();
            assert_eq!(count, 1, "{dialect:?}: {expected} in {said:?}");
        }
        table.client.execute(&Command::Leave {}).unwrap();
        assert_eq!(table.client.state(), "closed");
    }
}

#[test]
fn fields_of_an_input_that_are_left_out_are_zero() {
    let input = Input { direction: -1, jump: true, ..Input::default() };
    assert_eq!(parse(json!({"set_input": {"direction": -1, "jump": true}})), Ok(Command::SetInput(input)));
}

#[test]
fn errors_in_commands_name_what_is_known() {
    for (command, part) in [
        (
            json!({"emoticon": {"emoticon": "joy"}}),
            "unknown word \"joy\"; use one of oop, exclamation, hearts",
        ),
        (json!({"set_team": {"team": "green"}}), "unknown word \"green\"; use one of spectators, red, blue"),
        (json!({"set_input": {"speed": 1}}), "unknown field `speed`"),
        (json!({"whisper": {"text": "psst"}}), "missing field `to`"),
        (json!({"dance": {}}), "unknown variant `dance`"),
    ] {
        let error = parse(command).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}
