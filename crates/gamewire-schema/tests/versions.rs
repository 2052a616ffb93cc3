//! Definitions of several versions, and the spellings of other projects.
#![cfg(feature = "compiler")]

use gamewire_schema::emit::{Markdown, compare};
use gamewire_schema::ir::{Protocol, WireType};
use gamewire_schema::{Constants, compile};

const LAMPS: &str = "
type LampId = uint16(int); before(3.1)
type LampId = uint16(int); since(3.1), before(3.2), remove-cap(ids-32)
type LampId = uint32(int); since(3.1), before(3.2), add-cap(ids-32)
type LampId = uint32(int); since(3.2)

PACKET_LAMP = 1; sc, cancel(PACKET_GLOW)
  /// The lamp.
  LampId id;
  /// Its power.
  uint8(int) power; before(3.2)
  uint16(int) power; since(3.2)
end

/// Its glow.
PACKET_GLOW = 2; sc, since(3.2)
  LampId id;
end
";

fn constants(text: &str) -> Constants {
    Constants::from_toml(text).unwrap()
}

fn lamps(version: &str) -> Protocol {
    compile(LAMPS, &constants(&format!("version = \"{version}\"")))
        .map_err(|e| e.render("", LAMPS, false))
        .unwrap()
}

fn errors(text: &str, of: &Constants) -> Vec<String> {
    compile(text, of).unwrap_err().list().iter().map(|error| error.message.clone()).collect()
}

fn wires(protocol: &Protocol) -> Vec<(&str, WireType)> {
    protocol.packets[0].fields.iter().map(|field| (field.name.as_str(), field.wire)).collect()
}

#[test]
fn each_version_has_its_own_lines() {
    assert_eq!(wires(&lamps("3.0.6")), [("id", WireType::Uint16), ("power", WireType::Uint8)]);
    assert_eq!(wires(&lamps("3.2")), [("id", WireType::Uint32), ("power", WireType::Uint16)]);
    assert_eq!((lamps("3.0").packets.len(), lamps("3.2").packets.len()), (1, 2));
}

#[test]
fn a_field_of_a_type_with_forms_is_sent_in_one_of_them() {
    let protocol = lamps("3.1.4");
    let packet = &protocol.packets[0];
    assert_eq!(packet.variant_count(), 2);
    let of = |active: &[&str]| -> Vec<WireType> {
        packet.variant(packet.mask(active.iter().copied())).fields().map(|field| field.wire).collect()
    };
    assert_eq!(of(&[]), [WireType::Uint16, WireType::Uint8]);
    assert_eq!(of(&["ids-32"]), [WireType::Uint32, WireType::Uint8]);
    assert!(packet.fields.iter().all(|field| field.type_name != "uint32(int)"));
}

#[test]
fn all_lines_of_a_field_have_its_documentation() {
    for version in ["3.0", "3.1", "3.2"] {
        let protocol = lamps(version);
        let power = protocol.packets[0].fields.last().unwrap();
        assert_eq!(power.doc, "Its power.", "{version}");
    }
}

#[test]
fn a_packet_of_another_version_is_not_cancelled() {
    assert!(lamps("3.1").packets[0].cancels.is_empty());
    assert_eq!(lamps("3.2").packets[0].cancels, [2]);
}

#[test]
fn a_definition_of_several_versions_needs_one() {
    let none = Constants::default();
    assert_eq!(errors(LAMPS, &none), ["the constants do not name the version of this definition"]);
    let text = "PACKET_A = 1; sc, since(new)\nend\nPACKET_B = 2; sc, before\nend";
    let of = constants("version = \"3.1\"");
    assert_eq!(errors(text, &of), ["`new` is not a version", "`before` needs a version"]);
    assert_eq!(errors("type A = uint8(int); diff\nPACKET_A = 1; sc\n  A a;\nend", &of).len(), 1);
    assert!(Constants::from_toml("version = \"new\"").is_err());
}

#[test]
fn t5_a_type_has_few_forms() {
    let many = "type A = uint8(int); add-cap(a)\n".repeat(5);
    let text = format!("{many}PACKET_A = 1; sc\n  A a;\nend");
    assert!(errors(&text, &Constants::default())[0].starts_with("more than 4 forms"));
}

#[test]
fn freeciv21_writes_types_as_cpp_does() {
    let text = "
type BOOL = bool(bool)
PACKET_A = 1; sc, cap(bombard-info)
  std::int32_t/100(float) angle;
  std::uint32_t/10000(float) share;
  std::int8_t(int) small;
  std::uint16_t(enum kind) kind;
  BOOL is_lit;
end";
    let protocol = compile(text, &Constants::default()).map_err(|e| e.render("", text, false)).unwrap();
    let wires: Vec<WireType> = protocol.packets[0].fields.iter().map(|field| field.wire).collect();
    let (angle, share) = (WireType::Sfloat { factor: 100 }, WireType::Ufloat { factor: 10_000 });
    assert_eq!(wires, [angle, share, WireType::Sint8, WireType::Uint16, WireType::Bool8]);
    for wrong in ["std::int32(int)", "std::int8_t/100(float)", "std::x(int)", "std::int32_t/0(float)"] {
        assert!(
            compile(&format!("PACKET_A = 1; sc\n  {wrong} a;\nend"), &Constants::default()).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn capabilities_may_have_hyphens() {
    let text = "PACKET_A = 1; sc\n  uint8(int) a; add-cap(city-original)\nend";
    assert_eq!(compile(text, &Constants::default()).unwrap().capabilities, ["city-original"]);
}

#[test]
fn a_type_of_the_application_is_what_the_constants_say() {
    let text = "PACKET_A = 1; sc\n  lamp_id(int) id;\n  glow(struct glow) glows[3];\nend";
    let of = constants("[types]\nlamp_id = \"uint16\"\nglow = \"action_probability\"");
    let protocol = compile(text, &of).unwrap();
    assert_eq!(wires(&protocol), [("id", WireType::Uint16), ("glows", WireType::ActionProbability)]);
    let unknown = compile(text, &Constants::default()).unwrap_err().render("", text, false);
    assert!(unknown.contains("`lamp_id = \"uint8\"`"), "{unknown}");
}

#[test]
fn forms_of_one_field_and_fields_that_are_only_wider_are_one_difference_each() {
    let old = "PACKET_A = 1; sc\n  uint16(int) id;\n  uint8(int) owner;\n  uint8(int) kind;\nend";
    let new = "PACKET_A = 1; sc
      uint16(int) id16; remove-cap(ids32)
      uint32(int) id32; add-cap(ids32)
      uint16(int) owner;
      sint8(int) kind;
    end";
    let none = Constants::default();
    let found = compare(&compile(old, &none).unwrap(), &compile(new, &none).unwrap());
    let expected = "\
PACKET_A
  kind: uint8 -> sint8
fields that are only wider
  uint16 -> uint16 remove-cap(ids32) or uint32 add-cap(ids32): PACKET_A.id
  uint8 -> uint16: PACKET_A.owner
what sides of the older version need
  a mandatory capability, or an optional one with remove-cap(NAME) on the old line and add-cap(NAME) on the new one: PACKET_A.owner, PACKET_A.kind
  the optional capability ids32: PACKET_A.id
3 differences on the wire, in 1 packet
";
    assert_eq!(found.to_string(), expected);
}

#[test]
fn the_order_of_fields_that_are_never_sent_together_is_no_difference() {
    let field = |name: &str, flags: &str| format!("  uint8(int) {name}; {flags}\n");
    let (a, b) = (field("a", "add-cap(x)"), field("b", "remove-cap(x)"));
    let packet = |fields: &[&String]| {
        let fields: String = fields.iter().map(|field| field.as_str()).collect();
        compile(&format!("PACKET_A = 1; sc\n{fields}end"), &Constants::default()).unwrap()
    };
    assert!(compare(&packet(&[&a, &b]), &packet(&[&b, &a])).list.is_empty());
    let c = field("c", "");
    assert_eq!(compare(&packet(&[&a, &c]), &packet(&[&c, &a])).list.len(), 1);
}

#[test]
fn the_reference_of_several_versions_shows_where_they_differ() {
    let versions =
        ["3.0", "3.2"].map(|version| Protocol { name: format!("lamps-{version}"), ..lamps(version) });
    let reference = Markdown::of_versions(&versions).to_string();
    // Cells without their padding.
    let rows: Vec<String> =
        reference.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "# lamps-3.0, lamps-3.2",
        "Number 1, sent by the server.",
        "* 3.2: It makes both sides forget [PACKET_GLOW](#packet_glow) of the same `id`.",
        "| 3.0 | 3.2 | field | wire type | type | description |",
        "| 1 | | `power` | `uint8` | int | Its power. |",
        "| | 1 | `power` | `uint16` | int | Its power. |",
        "Not in 3.0.",
        "| bit | field | wire type | type | description |",
    ] {
        assert!(rows.iter().any(|row| row == expected), "{expected} is not in {rows:#?}");
    }
}
