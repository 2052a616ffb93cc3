//! The golden vectors in `vectors/riptide/vectors.jsonl`.

use gamewire_machine::Role;

use gamewire_riptide::Format;
use serde_json::Value as Json;

const TEXT: &str = include_str!("../../../../vectors/riptide/vectors.jsonl");

/// A line of the file: one packet.
#[derive(Debug)]
pub struct Vector {
    pub version: String,
    pub transport: String,
    /// Role of the sender; `None` if an encoder made the packet and it was never sent.
    pub sender: Option<Role>,
    /// The name of its header, or of the encoder's input.
    pub kind: String,
    pub bytes: Vec<u8>,
    pub frame: Option<Vec<u8>>,
    pub fields: Json,
    /// It shows a bug of its sender.
    pub has_note: bool,
}

impl Vector {
    /// Returns whether the vector is in the byte format.
    pub fn is_v20(&self) -> bool {
        self.version == "2.0.0"
    }

    /// Set if the vector shows a bug of its sender.
    pub fn value(&self) -> &str {
        self.fields["value"].as_str().unwrap_or_default()
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.fields[name].as_i64()
    }

    pub fn hex(&self, name: &str) -> Vec<u8> {
        hex(self.fields[name].as_str().unwrap())
    }
}

/// Returns the vectors of all lines.
pub fn vectors() -> Vec<Vector> {
    TEXT.lines().map(vector).collect()
}

/// Returns the packets that a role sent in a format, without duplicates.
pub fn packets_of(sender: Role, format: Format) -> Vec<Vec<u8>> {
    let is_v20 = format == Format::V20;
    let is_one = |vector: &Vector| vector.is_v20() == is_v20 && vector.sender == Some(sender);
    let mut packets: Vec<_> = vectors().into_iter().filter(is_one).map(|vector| vector.bytes).collect();
    packets.sort();
    packets.dedup();
    packets
}

fn vector(line: &str) -> Vector {
    let line: Json = serde_json::from_str(line).unwrap();
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    let sender = match line["direction"].as_str() {
        Some("c2s") => Some(Role::Client),
        Some("s2c") => Some(Role::Server),
        _ => None,
    };
    Vector {
        version: text("version").unwrap(),
        transport: text("transport").unwrap(),
        sender,
        kind: text("type").unwrap(),
        bytes: hex(&text("hex").unwrap()),
        frame: text("frame_hex").map(|frame| hex(&frame)),
        fields: line["fields"].clone(),
        has_note: line.get("note").is_some(),
    }
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}
