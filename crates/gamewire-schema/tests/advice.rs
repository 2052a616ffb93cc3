//! The capability that each change of a definition needs.

use gamewire_schema::emit::{Differences, Need, compare};
use gamewire_schema::{Constants, compile};

/// Compares two bodies of one packet.
fn change(old: &str, new: &str) -> Differences {
    change_of(&format!("PACKET_A = 1; sc\n{old}\nend"), &format!("PACKET_A = 1; sc\n{new}\nend"), ["", ""])
}

fn change_of(old: &str, new: &str, capabilities: [&str; 2]) -> Differences {
    let [old, new] = [(old, capabilities[0]), (new, capabilities[1])].map(|(text, capabilities)| {
        let constants = Constants { capabilities: capabilities.to_owned(), ..Constants::default() };
        compile(text, &constants).unwrap()
    });
    compare(&old, &new)
}

fn needs(differences: &Differences) -> Vec<Need> {
    differences.list.iter().map(|difference| difference.need.clone()).collect()
}

const A: &str = "uint8(int) a;";

#[test]
fn a_new_field_needs_a_mandatory_capability_or_add_cap() {
    assert_eq!(needs(&change(A, &format!("{A}\nuint8(int) b;"))), [Need::AddCap]);
    let optional = change(A, &format!("{A}\nuint8(int) b; add-cap(b)"));
    assert_eq!(needs(&optional), [Need::Optional(vec!["b".to_owned()])]);
    assert!(optional.to_string().contains("  the optional capability b: PACKET_A.b\n"), "{optional}");
}

#[test]
fn a_removed_field_needs_a_mandatory_capability_or_remove_cap() {
    let both = format!("{A}\nuint8(int) b;");
    assert_eq!(needs(&change(&both, A)), [Need::RemoveCap]);
    let optional = change(&both, &format!("{A}\nuint8(int) b; remove-cap(cleanup)"));
    assert_eq!(needs(&optional), [Need::Optional(vec!["cleanup".to_owned()])]);
}

#[test]
fn a_changed_field_needs_a_mandatory_capability_or_both_lines() {
    assert_eq!(needs(&change(A, "uint16(int) a;")), [Need::BothLines]);
    let two_lines = "uint8(int) a; remove-cap(wide)\nuint16(int) a; add-cap(wide)";
    assert_eq!(needs(&change(A, two_lines)), [Need::Optional(vec!["wide".to_owned()])]);
    // Sides of the older version have the capability already, and do not have the second line.
    let with_old = format!("{A}\nuint8(int) c; add-cap(wide)");
    let changed = change(&with_old, &format!("{two_lines}\nuint8(int) c; add-cap(wide)"));
    assert_eq!(needs(&changed), [Need::BothLines]);
    assert_eq!(
        needs(&change("uint8(int) a;\nuint8(int) b;", "uint8(int) b;\nuint8(int) a;")),
        [Need::Mandatory]
    );
}

#[test]
fn longer_texts_and_lists_need_no_capability_until_they_are_used() {
    let field =
        |limit: u32| format!("string(char) name[{limit}];\nuint8(int) n;\nuint8(int) list[{limit}:n];");
    assert_eq!(needs(&change(&field(10), &field(20))), [Need::WithinLimits, Need::WithinLimits]);
    assert_eq!(needs(&change("uint8(int) a[3];", "uint8(int) a[4];")), [Need::BothLines]);
}

#[test]
fn packets_flags_and_directions_have_needs_of_their_own() {
    let packet = |header: &str| format!("PACKET_A = {header}\n{A}\nend");
    let needs = |old: &str, new: &str| needs(&change_of(old, new, ["", ""]));
    let two = format!("{}\nPACKET_B = 2; sc\nend", packet("1; sc"));
    assert_eq!(needs(&two, &packet("1; sc")), [Need::Mandatory]);
    assert_eq!(needs(&packet("1; sc"), &two), [Need::CheckBySender]);
    assert_eq!(needs(&packet("1; sc"), &packet("3; sc")), [Need::Mandatory]);
    assert_eq!(needs(&packet("1; sc"), &packet("1; sc, cs")), [Need::CheckBySender]);
    assert_eq!(needs(&packet("1; sc"), &packet("1; cs")), [Need::Mandatory]);
    assert_eq!(needs(&packet("1; sc"), &packet("1; sc, is-info, force")), [Need::Nothing]);
    assert_eq!(needs(&packet("1; sc"), &packet("1; sc, is-game-info")), [Need::Mandatory]);
    assert_eq!(needs(&packet("1; sc"), &packet("1; sc, no-delta")), [Need::Mandatory]);
}

#[test]
fn a_mandatory_capability_that_is_there_already_is_enough() {
    let (old, new) = (format!("PACKET_A = 1; sc\n{A}\nend"), "PACKET_A = 1; sc\nuint16(int) a;\nend");
    let differences = change_of(&old, new, ["+v1 x", "+v2 x"]);
    assert_eq!(differences.mandatory, ["v2"]);
    let shown = differences.to_string();
    assert!(shown.contains("no more than v2, which the newer version requires: they cannot join"), "{shown}");
    assert!(change_of(&old, new, ["+v1 x", "+v1 x y"]).mandatory.is_empty());
    assert!(change_of(&old, new, ["", "+v2"]).mandatory.is_empty());
}

#[test]
fn a_capability_of_the_older_string_is_not_new() {
    let old = format!("PACKET_A = 1; sc\n{A}\nend");
    let new = format!("PACKET_A = 1; sc\n{A}\nuint8(int) b; add-cap(x)\nend");
    assert_eq!(needs(&change_of(&old, &new, ["+v1 x", "+v1 x"])), [Need::AddCap]);
    assert_eq!(needs(&change_of(&old, &new, ["+v1", "+v1 x"])), [Need::Optional(vec!["x".to_owned()])]);
}

#[test]
fn equal_definitions_need_nothing() {
    assert_eq!(change(A, A).to_string(), "no difference on the wire\n");
}
