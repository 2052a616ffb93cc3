//! What stands for all packets together.

use super::file::Code;
use super::names::Names;
use crate::ir::{Info, Packet, Protocol};

/// What a protocol is called in a sentence.
pub(super) fn title(protocol: &Protocol) -> String {
    if protocol.name.is_empty() { "a definition".into() } else { format!("`{}`", protocol.name) }
}

/// The enum of all packets.
pub(super) fn packet(code: &mut Code, protocol: &Protocol, names: &Names) {
    code.line("");
    code.line("/// Any packet, borrowed.");
    code.line("#[derive(Clone, Copy, Debug, PartialEq)]");
    code.line("pub enum Packet<'a> {");
    for packet in &protocol.packets {
        let name = names.of(packet);
        code.line(format!("/// `{}`, number {}.", packet.name, packet.number));
        code.line(if packet.fields.is_empty() { format!("{name},") } else { format!("{name}(&'a {name}),") });
    }
    code.line("}");
    code.line("");
    code.line("impl Packet<'_> {");
    code.line("/// Its type on the wire.");
    code.line("#[must_use]");
    code.line("pub fn number(&self) -> u16 {");
    code.line("self.definition().number");
    code.line("}");
    code.line("");
    code.line("/// Its name in the definition.");
    code.line("#[must_use]");
    code.line("pub fn name(&self) -> &'static str {");
    code.line("self.definition().name");
    code.line("}");
    code.line("");
    code.line("/// What the definition says of it.");
    code.line("#[must_use]");
    let head = "pub fn definition(&self) -> &'static PacketRow {";
    each(code, protocol, names, head, |_, name| format!("&<{name} as Body>::DEFINITION"));
    code.line("");
    code.line("/// Its fields.");
    code.line("#[must_use]");
    each(code, protocol, names, "pub fn fields(&self) -> &dyn Fields {", |packet, name| {
        if packet.fields.is_empty() { format!("&{name}") } else { "*packet".into() }
    });
    code.line("}");
    code.line("");
    code.line("impl PacketView for Packet<'_> {");
    code.line("fn definition(&self) -> &'static PacketRow {");
    code.line("self.definition()");
    code.line("}");
    code.line("");
    code.line("fn fields(&self) -> &dyn Fields {");
    code.line("self.fields()");
    code.line("}");
    code.line("}");
    for packet in &protocol.packets {
        let name = names.of(packet);
        code.line("");
        code.line(format!("impl<'a> From<&'a {name}> for Packet<'a> {{"));
        if packet.fields.is_empty() {
            code.line(format!("fn from(_: &'a {name}) -> Self {{"));
            code.line(format!("Self::{name}"));
        } else {
            code.line(format!("fn from(packet: &'a {name}) -> Self {{"));
            code.line(format!("Self::{name}(packet)"));
        }
        code.line("}");
        code.line("}");
    }
}

/// A function with a match over all packets.
fn each(
    code: &mut Code,
    protocol: &Protocol,
    names: &Names,
    head: &str,
    value: impl Fn(&Packet, &str) -> String,
) {
    code.line(head);
    code.line("match self {");
    for packet in &protocol.packets {
        let name = names.of(packet);
        let value = value(packet, name);
        let binding = if value == "*packet" { "packet" } else { "_" };
        let pattern = if packet.fields.is_empty() { name.to_owned() } else { format!("{name}({binding})") };
        code.line(format!("Self::{pattern} => {value},"));
    }
    code.line("}");
    code.line("}");
}

/// What is remembered of all types.
pub(super) fn baselines(code: &mut Code, protocol: &Protocol, names: &Names) {
    code.line("");
    code.line("/// Reads the packets of one direction of one connection.");
    code.line("pub type Decoder = codec::Decoder<Baselines>;");
    code.line("");
    code.line("/// Writes the packets of one direction of one connection.");
    code.line("pub type Encoder = codec::Encoder<Baselines>;");
    code.line("");
    code.line("/// A packet and what was sent of it.");
    code.line("pub type Decoded<'a> = codec::Decoded<'a, Packet<'a>>;");
    code.line("");
    code.line("/// What one direction remembers of all types.");
    code.line("#[derive(Clone, Debug, Default)]");
    code.line("pub struct Baselines {");
    for packet in &protocol.packets {
        code.line(format!("{}: PacketBaselines<{}>,", names.baselines_field(packet), names.of(packet)));
    }
    code.line("}");
    code.line("");
    code.line("impl codec::Baselines for Baselines {");
    code.line("type Packet<'a> = Packet<'a>;");
    code.line("");
    code.line("fn name(number: u16) -> Option<&'static str> {");
    code.line("Some(match number {");
    for packet in &protocol.packets {
        code.line(format!("{} => {:?},", packet.number, packet.name));
    }
    code.line("_ => return None,");
    code.line("})");
    code.line("}");
    let capable: Vec<&Packet> =
        protocol.packets.iter().filter(|packet| !packet.capabilities.is_empty()).collect();
    code.line("");
    let active = if capable.is_empty() { "_" } else { "active" };
    code.line(format!("fn set_capabilities(&mut self, {active}: &[&str]) {{"));
    for packet in capable {
        code.line(format!("self.{}.set_capabilities(active);", names.baselines_field(packet)));
    }
    code.line("}");
    let game: Vec<&Packet> = protocol.packets.iter().filter(|packet| packet.info == Info::GameInfo).collect();
    code.line("");
    let state = if game.is_empty() { "_" } else { "state" };
    code.line(format!("fn forget_game_info(&mut self, {state}: &mut CodecState) {{"));
    for packet in game {
        code.line(format!("self.{}.forget(state);", names.baselines_field(packet)));
    }
    code.line("}");
    decode(code, protocol, names);
    encode(code, protocol, names);
    code.line("}");
}

/// The other types that a packet cancels.
fn cancelled<'p>(protocol: &'p Protocol, packet: &Packet) -> Vec<&'p Packet> {
    let others = packet.cancels.iter().filter(|number| **number != packet.number);
    others.filter_map(|number| protocol.packet(*number)).collect()
}

fn decode(code: &mut Code, protocol: &Protocol, names: &Names) {
    code.line("");
    code.line("fn decode<'a>(");
    code.line("&'a mut self,");
    code.line("state: &mut CodecState,");
    code.line("number: u16,");
    code.line("body: &[u8],");
    code.line(") -> Result<Packet<'a>, Box<DeltaError>> {");
    code.line("Ok(match number {");
    for packet in &protocol.packets {
        let (number, name, place) = (packet.number, names.of(packet), names.baselines_field(packet));
        let cancelled = cancelled(protocol, packet);
        let read = format!("self.{place}.decode(state, body)?");
        if packet.fields.is_empty() {
            code.line(format!("{number} => {{"));
            code.line(format!("{read};"));
            cancel(code, &cancelled, names);
            code.line(format!("Packet::{name}"));
            code.line("}");
        } else if cancelled.is_empty() {
            code.line(format!("{number} => Packet::{name}({read}),"));
        } else {
            code.line(format!("{number} => {{"));
            code.line(format!("let packet = {read};"));
            cancel(code, &cancelled, names);
            code.line(format!("Packet::{name}(packet)"));
            code.line("}");
        }
    }
    code.line("_ => return Err(state.unknown(number)),");
    code.line("})");
    code.line("}");
}

fn cancel(code: &mut Code, cancelled: &[&Packet], names: &Names) {
    for other in cancelled {
        code.line(format!("self.{}.cancel(state);", names.baselines_field(other)));
    }
}

fn encode(code: &mut Code, protocol: &Protocol, names: &Names) {
    code.line("");
    code.line("fn encode(");
    code.line("&mut self,");
    code.line("state: &mut CodecState,");
    code.line("packet: Packet<'_>,");
    code.line("sending: EncodeOptions<'_>,");
    code.line("out: &mut Vec<u8>,");
    code.line(") -> Result<bool, Box<DeltaError>> {");
    code.line("match packet {");
    for packet in &protocol.packets {
        let (name, place) = (names.of(packet), names.baselines_field(packet));
        let cancelled = cancelled(protocol, packet);
        let (pattern, value) = if packet.fields.is_empty() {
            (format!("Packet::{name}"), format!("&{name}"))
        } else {
            (format!("Packet::{name}(packet)"), "packet".to_owned())
        };
        let write = format!("self.{place}.encode(state, {value}, sending, out)");
        if cancelled.is_empty() {
            code.line(format!("{pattern} => {write},"));
        } else {
            code.line(format!("{pattern} => {{"));
            code.line(format!("let is_sent = {write}?;"));
            code.line("if is_sent {");
            cancel(code, &cancelled, names);
            code.line("}");
            code.line("Ok(is_sent)");
            code.line("}");
        }
    }
    code.line("}");
    code.line("}");
}

/// The definition.
pub(super) fn protocol(code: &mut Code, protocol: &Protocol, names: &Names) {
    code.line("");
    code.line("/// The definition, for the interpreter and the compiler.");
    code.line("#[must_use]");
    code.line("pub fn protocol() -> Protocol {");
    code.line("PROTOCOL.protocol()");
    code.line("}");
    code.line("");
    code.line("const PROTOCOL: ProtocolRow = ProtocolRow {");
    code.line(format!("name: {:?},", protocol.name));
    code.line("packets: &[");
    for packet in &protocol.packets {
        code.line(format!("&<{} as Body>::DEFINITION,", names.of(packet)));
    }
    code.line("],");
    code.line("aliases: &[");
    for alias in &protocol.aliases {
        code.line(format!("({:?}, {:?}),", alias.name, alias.source));
    }
    code.line("],");
    code.line("topics: &[");
    for topic in &protocol.topics {
        code.line(format!("({:?}, {:?}),", topic.name, topic.doc));
    }
    code.line("],");
    code.line(format!("capabilities: &{:?},", protocol.capabilities));
    code.line("};");
}

/// The root of a folder.
pub(super) fn root(header: &str, protocol: &Protocol, topics: &[(&str, String)]) -> String {
    let mut modules: Vec<&str> = topics.iter().map(|(_, module)| module.as_str()).collect();
    modules.extend(["baselines", "owned", "packet", "protocol"]);
    modules.sort_unstable();
    let mut text = format!("{header}//! The packets of {}.\n\n", title(protocol));
    modules.iter().for_each(|module| text.push_str(&format!("mod {module};\n")));
    text.push('\n');
    for module in modules {
        match module {
            "baselines" => text.push_str("pub use baselines::{Baselines, Decoded, Decoder, Encoder};\n"),
            "owned" => text.push_str("pub use owned::OwnedPacket;\n"),
            "packet" => text.push_str("pub use packet::Packet;\n"),
            "protocol" => text.push_str("pub use protocol::protocol;\n"),
            topic => text.push_str(&format!("pub use {topic}::*;\n")),
        }
    }
    text
}
