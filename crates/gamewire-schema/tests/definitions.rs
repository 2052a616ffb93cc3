//! Compiles a definition with every feature of the language, and checks the results.
#![cfg(feature = "compiler")]

use gamewire_schema::emit::{Json, Markdown, compare};
use gamewire_schema::ir::{ArrayDiff, Count, Dim, Field, Info, Packet, Protocol, WireType};
use gamewire_schema::{Constants, compile};

const LAMPS: &str = include_str!("good/lamps.def");
const CONSTANTS: &str = include_str!("good/lamps.toml");

fn constants() -> Constants {
    Constants::from_toml(CONSTANTS).unwrap()
}

fn lamps() -> Protocol {
    let errors = |errors: gamewire_schema::Errors| errors.render("lamps.def", LAMPS, false);
    compile(LAMPS, &constants()).map_err(errors).unwrap()
}

fn packet<'a>(protocol: &'a Protocol, name: &str) -> &'a Packet {
    protocol.packet_named(name).unwrap()
}

fn field<'a>(packet: &'a Packet, name: &str) -> &'a Field {
    &packet.fields[packet.field_index(name).unwrap()]
}

#[test]
fn headers_are_read_with_their_flags_and_cancels() {
    let protocol = lamps();
    assert_eq!((protocol.name.as_str(), protocol.packets.len(), protocol.aliases.len()), ("lamps", 8, 7));
    let info = packet(&protocol, "PACKET_LAMP_INFO");
    assert_eq!((info.number, info.info, info.force), (1, Info::GameInfo, true));
    assert_eq!(info.cancels, [packet(&protocol, "PACKET_LAMP_HINT").number]);
    assert_eq!(info.doc, "A lamp changed, or a client asked.");
    assert!(packet(&protocol, "PACKET_NAMES").no_delta);
    assert!(!packet(&protocol, "PACKET_PING").is_delta());
}

#[test]
fn the_documentation_of_a_line_applies_to_its_fields() {
    let protocol = lamps();
    let info = packet(&protocol, "PACKET_LAMP_INFO");
    assert_eq!(field(info, "is_lit").doc, "The lamp is lit.");
    assert_eq!(field(info, "colours").doc, "");
}

#[test]
fn aliases_and_sizes_are_resolved() {
    let protocol = lamps();
    let names = packet(&protocol, "PACKET_NAMES");
    assert_eq!(field(packet(&protocol, "PACKET_LAMP_HINT"), "id").wire, WireType::Uint16);
    let rooms = field(names, "rooms");
    assert_eq!(rooms.wire, WireType::String { size: 32 });
    assert_eq!(rooms.dims, [Dim { limit: 12, count: Count::Field(0) }]);
    let scores = field(names, "scores");
    assert_eq!(scores.wire, WireType::Sfloat { factor: 1000 });
    assert_eq!(scores.dims.iter().map(|dim| dim.limit).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(field(names, "notes").wire, WireType::Memory);
    assert_eq!(field(names, "notes").dims, [Dim { limit: 200, count: Count::Field(0) }]);
    let colours = field(packet(&protocol, "PACKET_LAMP_INFO"), "colours");
    assert_eq!(colours.wire, WireType::Bitvector { bytes: 3 });
}

#[test]
fn vectors_have_a_length_on_the_wire() {
    let protocol = lamps();
    let names = packet(&protocol, "PACKET_NAMES");
    let own = [Dim { limit: 65_535, count: Count::Own }];
    assert_eq!(field(names, "marks").dims, own);
    assert_eq!(field(names, "more").dims, own);
    assert_eq!(field(names, "more").wire, WireType::String { size: 4096 });
}

#[test]
fn fields_of_one_name_may_be_variants_of_each_other() {
    let protocol = lamps();
    let info = packet(&protocol, "PACKET_LAMP_INFO");
    assert_eq!(info.capabilities, ["wide", "narrow"]);
    let sent = |active: &[&str]| {
        let variant = info.variant(info.mask(active.iter().copied()));
        variant.fields().map(|field| format!("{} {}", field.name, field.wire)).collect::<Vec<_>>().join(", ")
    };
    let head = "id uint16, is_lit bool8, colours bitvector(3)";
    assert_eq!(sent(&[]), format!("{head}, hours16 uint8, hours uint8"));
    assert_eq!(sent(&["wide"]), format!("{head}, hours uint16"));
    assert_eq!(sent(&["wide", "narrow"]), head);
}

#[test]
fn scalar_bools_are_folded_and_arrays_of_bools_are_not() {
    let protocol = lamps();
    let info = packet(&protocol, "PACKET_LAMP_INFO");
    assert!(info.is_folded(field(info, "is_lit")));
    let names = packet(&protocol, "PACKET_NAMES");
    assert!(!names.is_folded(field(names, "lit")));
}

#[test]
fn the_form_of_array_diff_comes_from_the_constants() {
    let totals = |constants: &Constants| {
        let protocol = compile(LAMPS, constants).unwrap();
        field(packet(&protocol, "PACKET_TOTALS"), "totals").diff
    };
    assert_eq!(totals(&constants()), Some(ArrayDiff::End255));
    let newer = Constants { array_diff: ArrayDiff::EndLength, ..constants() };
    assert_eq!(totals(&newer), Some(ArrayDiff::EndLength));
}

#[test]
fn the_reference_lists_the_bit_of_every_field_in_every_variant() {
    let reference = Markdown::new(&lamps()).to_string();
    assert!(
        reference.contains("The bitvector has 4 bits in 1 byte without `wide`, `narrow`."),
        "{reference}"
    );
    let row = reference.lines().find(|line| line.contains("`hours16`")).unwrap();
    assert!(row.starts_with("| 2 / - / 2 / - "), "{row}");
    let forgets = "It makes both sides forget [PACKET_LAMP_HINT](#packet_lamp_hint) of the same `id`.";
    assert!(reference.contains(forgets), "{reference}");
    assert!(
        reference.contains("It is forgotten with [PACKET_LAMP_INFO](#packet_lamp_info) of the same key.")
    );
}

#[test]
fn the_json_has_all_wire_properties() {
    let json: serde_json::Value = serde_json::from_str(&Json(&lamps()).to_string()).unwrap();
    let rooms = &json["packets"][2]["fields"][1];
    assert_eq!(rooms["dims"][0], serde_json::json!({"limit": 12, "count": "count"}));
    assert_eq!((&rooms["wire"], &rooms["size"]), (&"string".into(), &32.into()));
}

#[test]
fn only_what_changes_on_the_wire_is_a_difference() {
    let differences = |from: &str, to: &str| {
        let changed = compile(&LAMPS.replace(from, to), &constants()).unwrap();
        compare(&lamps(), &changed).list.into_iter().map(|found| found.what).collect::<Vec<_>>()
    };
    assert!(differences("MAIN_LAMP", "FIRST_LAMP").is_empty());
    assert!(differences("PACKET_LAMP_INFO=1;sc, lsend,", "PACKET_LAMP_INFO = 1; sc, dsend,").is_empty());
    assert_eq!(differences("PACKET_PING = 4", "PACKET_PING = 5"), ["number: 4 -> 5"]);
    assert_eq!(differences("bool8(bool)", "uint8(bool)").len(), 2);
    assert_eq!(differences("bool8(bool)", "bool8(int)"), ["bool8 folded -> bool8"]);
    assert_eq!(
        differences("rooms[(LAMPS + 4) / 2:", "rooms[LAMPS / 2:"),
        ["string(32)[12:count] -> string(32)[10:count]"]
    );
    assert_eq!(differences("  COLOURS colours;", "").len(), 1);
}

#[test]
fn a_rename_is_not_a_difference_on_the_wire() {
    let rendered = |changes: &[(&str, &str)]| {
        let changed = changes.iter().fold(LAMPS.to_owned(), |text, (from, to)| text.replace(from, to));
        let found = compare(&lamps(), &compile(&changed, &constants()).unwrap());
        let renamed = found.renamed.iter().map(ToString::to_string).collect::<Vec<_>>();
        (found.list.into_iter().map(|found| found.what).collect::<Vec<_>>(), renamed.join(", "))
    };
    let (none, empty) = (Vec::<String>::new(), Vec::<String>::new());
    assert_eq!(rendered(&[("is_lit", "burns")]), (none, "PACKET_LAMP_INFO: is_lit -> burns".into()));
    let (list, renamed) =
        rendered(&[("PACKET_LAMP_HINT", "PACKET_LAMP_GUESS"), (" count;", " n;"), (":count", ":n")]);
    assert_eq!(list, empty);
    assert_eq!(renamed, "PACKET_LAMP_HINT -> PACKET_LAMP_GUESS, PACKET_NAMES: count -> n");
    let (list, renamed) = rendered(&[("BOOL is_lit", "LAMP burns")]);
    assert_eq!((list.len(), renamed.as_str()), (2, ""), "{list:?}");
    let (list, renamed) = rendered(&[("PACKET_PING = 4; sc", "PACKET_PING2 = 4; cs")]);
    assert_eq!((list.len(), renamed.as_str()), (2, ""), "{list:?}");
}

#[test]
fn a_field_has_aliases_that_do_not_change_the_wire() {
    let protocol = lamps();
    let scene = packet(&protocol, "PACKET_SCENE");
    let mood = field(scene, "mood");
    assert_eq!(mood.aliases, ["feeling"]);
    assert!(mood.is_named("feeling") && mood.is_named("mood") && !mood.is_named("feelings"));
    let other = compile(&LAMPS.replace("; alias(feeling)", ";"), &constants()).unwrap();
    assert!(compare(&protocol, &other).list.is_empty());
    assert!(Markdown::new(&protocol).to_string().contains("also named `feeling`"));
    let errors = compile(&LAMPS.replace("alias(feeling)", "alias"), &constants()).unwrap_err();
    assert_eq!(errors.to_string(), "`alias` needs a name");
}
