use std::collections::HashSet;

use super::code::CODEC;
use crate::ir::{Packet, Structure};

/// Names that generated code reserves, in addition to the names in the codec.
const TAKEN: [&[&str]; 3] = [
    &["OwnedPacket", "Decoder", "Encoder", "Decoded"],
    &["Self", "Option", "Some", "None", "Result", "Ok", "Err", "Vec", "Box"],
    &["Default", "Clone", "Debug", "PartialEq", "From", "Into"],
];

/// Keywords, which can only be identifiers in raw form.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Returns the name of the struct of a structure.
pub(super) fn structure_name(structure: &Structure) -> String {
    let name = camel(&structure.name);
    let is_taken = TAKEN.iter().copied().flatten().chain(CODEC).any(|taken| *taken == name);
    if is_taken { format!("{name}Struct") } else { name }
}

/// Returns the names of the structs of all packets, in order. `structures` are the names of the structs of structures.
pub(super) fn struct_names<'a>(
    packets: impl Iterator<Item = &'a Packet>,
    structures: impl Iterator<Item = String>,
) -> Vec<String> {
    let mut taken: HashSet<String> =
        TAKEN.iter().copied().flatten().chain(CODEC).map(ToString::to_string).collect();
    taken.extend(structures);
    let mut unique = |packet: &Packet| {
        let mut name = camel(packet.name.strip_prefix("PACKET_").unwrap_or(&packet.name));
        if taken.contains(&name) {
            name.push_str("Packet");
        }
        if taken.contains(&name) {
            name = format!("{name}{}", packet.number);
        }
        taken.insert(name.clone());
        name
    };
    packets.map(&mut unique).collect()
}

/// Returns the names of the fields of a packet. In contrast to the definition, all names are different.
pub(super) fn field_names(packet: &Packet) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::new();
    for (index, field) in packet.fields.iter().enumerate() {
        let mut name = identifier(&field.name);
        if !taken.insert(name.clone()) {
            name = format!("{}_{index}", field.name);
            taken.insert(name.clone());
        }
        names.push(name);
    }
    names
}

/// Converts a C name to a Rust identifier.
pub(super) fn identifier(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" | "_" => format!("{name}_"),
        name if KEYWORDS.contains(&name) => format!("r#{name}"),
        name => name.to_owned(),
    }
}

/// Converts `CITY_INFO` to `CityInfo`.
fn camel(name: &str) -> String {
    let mut camel = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        camel.extend(letters.map(|c| c.to_ascii_lowercase()));
    }
    if !camel.starts_with(|c: char| c.is_ascii_alphabetic()) {
        camel.insert(0, 'P');
    }
    camel
}

/// Returns the topics in order, with the names of their modules.
pub(super) fn module_names<'a>(packets: impl Iterator<Item = &'a Packet>) -> Vec<(&'a str, String)> {
    let mut topics: Vec<(&str, String)> = Vec::new();
    for packet in packets {
        let topic = packet.topic.as_str();
        if topics.iter().any(|(known, _)| *known == topic) {
            continue;
        }
        let topic_or_packets = if topic.is_empty() { "packets" } else { topic };
        let mut module =
            topic_or_packets.replace(|c: char| !c.is_ascii_alphanumeric(), "_").to_ascii_lowercase();
        if module.starts_with(|c: char| c.is_ascii_digit()) || matches!(module.as_str(), "protocol" | "mod") {
            module.insert_str(0, "about_");
        }
        topics.push((topic, identifier(&module)));
    }
    topics
}
