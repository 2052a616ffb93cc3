use std::collections::{HashMap, HashSet};

use crate::ir::{Packet, Protocol};

/// The names of packets in Rust.
#[derive(Debug)]
pub(super) struct Names {
    structs: HashMap<u16, String>,
}

/// Names that generated code reserves.
const TAKEN: &[&str] = &[
    "Packet",
    "OwnedPacket",
    "Decoder",
    "Encoder",
    "Decoded",
    "Self",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "Vec",
    "Box",
    "Default",
    "Clone",
    "Debug",
    "PartialEq",
    "From",
    "Into",
    "ActionProbability",
    "Bitvector",
    "Bool32",
    "CmParameter",
    "Memory",
    "Requirement",
    "Sfloat",
    "ShortList",
    "Text",
    "Texts",
    "Ufloat",
    "UnitOrder",
    "Vector",
    "Worklist",
];

/// Keywords, which are identifiers only in raw form.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

impl Names {
    pub(super) fn new(protocol: &Protocol) -> Self {
        let mut taken: HashSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
        let mut structs = HashMap::new();
        for packet in &protocol.packets {
            let mut name = camel(packet.name.strip_prefix("PACKET_").unwrap_or(&packet.name));
            if taken.contains(&name) {
                name.push_str("Packet");
            }
            if taken.contains(&name) {
                name = format!("{name}{}", packet.number);
            }
            taken.insert(name.clone());
            structs.insert(packet.number, name);
        }
        Self { structs }
    }

    /// Returns the name of a packet's struct.
    pub(super) fn of(&self, packet: &Packet) -> &str {
        self.structs.get(&packet.number).map_or("", String::as_str)
    }
}

/// The fields of a packet in Rust: unlike in the definition, no two have the same name.
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

/// Converts a name of C to Rust.
fn identifier(name: &str) -> String {
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

/// Returns the topics in order, and their modules.
pub(super) fn module_names(protocol: &Protocol) -> Vec<(&str, String)> {
    let mut topics: Vec<(&str, String)> = Vec::new();
    for packet in &protocol.packets {
        let topic = packet.topic.as_str();
        if topics.iter().any(|(known, _)| *known == topic) {
            continue;
        }
        let mut module: String = topic
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .collect();
        if module.is_empty() {
            module.push_str("packets");
        }
        if module.starts_with(|c: char| c.is_ascii_digit()) || ["protocol", "mod"].contains(&module.as_str())
        {
            module.insert_str(0, "about_");
        }
        topics.push((topic, identifier(&module)));
    }
    topics
}
