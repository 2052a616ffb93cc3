use gamewire_machine::Role;
use gamewire_riptide::layout::MessageKind;

use super::parse;

#[test]
fn a_file_describes_messages_by_id_and_by_kind() {
    let layouts = parse(
        r#"
        [[struct]]
        name = "weapon"
        fields = ["ammo: byte", "loaded: bool"]

        [[message]]
        id = 10
        name = "player_move"
        from = "client"
        doc = "Where a player goes."
        fields = ["tick: ushort # counts up", "position: vector3", "weapons: weapon[]"]

        [[message]]
        id = 11
        name = "ping"

        [[message]]
        kind = "notify"
        name = "state"
        fields = ["flags: bits:3"]
        "#,
    )
    .unwrap();
    let found = |place, side| layouts.find(place, side).map(|message| message.name);
    assert_eq!(found(MessageKind::Message(10), Role::Client), Some("player_move"));
    assert_eq!(found(MessageKind::Message(10), Role::Server), None);
    assert_eq!(found(MessageKind::Message(11), Role::Server), Some("ping"));
    assert_eq!(found(MessageKind::Notify, Role::Server), Some("state"));
    let message = layouts.find(MessageKind::Message(10), Role::Client).unwrap();
    assert_eq!((message.doc.as_str(), message.fields[0].doc.as_str()), ("Where a player goes.", "counts up"));
}

#[test]
fn errors_have_a_line_and_a_correction() {
    let message = |rest: &str| format!("[[message]]\nid = 10\nname = \"a\"\n{rest}");
    for (text, expected) in [
        (
            message("fields = [\n  \"x: int\",\n  \"y: vectr3\",\n]"),
            "line 6: field y: unknown type \"vectr3\"; use one of bool, ",
        ),
        (
            message("fields = [\"tick\"]"),
            "line 4: \"tick\" is not a field: write a name and a type, as in \"tick: ushort\"",
        ),
        (message("feilds = []"), "line 4: unknown field `feilds`, expected one of"),
        (message("from = \"clinet\""), "line 4: unknown variant `clinet`, expected `client` or `server`"),
        (
            message("kind = \"kick\""),
            "line 2: message \"a\": id and kind exclude each other: remove one of them",
        ),
        (
            message("[[message]]\nid = 10\nname = \"b\""),
            "line 6: b and a have the same id 10: set a different sender for each",
        ),
        (message("[[message]]\nid = 11\nname = \"a\""), "line 6: there are two messages named a"),
        ("[[message]]\nname = \"a\"".into(), "line 1: message \"a\": missing id: add an id, or"),
        (
            "[[message]]\nid = 65536\nname = \"a\"".into(),
            "line 2: message \"a\": invalid id: use a number from 0 to 65535",
        ),
        ("[[message]]\nid = 1\nname = \"ack\"".into(), "line 3: a message cannot be named ack"),
        ("[[message]]\nid = 1\nname = \"a b\"".into(), "line 3: \"a b\" is not a name"),
        (
            "[[struct]]\nname = \"a\"\nfields = [\"b: a[2]\"]".into(),
            "line 2: struct a contains itself: a contains a",
        ),
        ("[[struct]]\nname = \"a\"\nfields = []".into(), "line 2: struct a has no fields"),
        ("[[struct]]\nname = \"int\"\nfields = []".into(), "line 2: a struct cannot be named int"),
        ("message = 1\n[".into(), "line 2: "),
    ] {
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}\n{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
