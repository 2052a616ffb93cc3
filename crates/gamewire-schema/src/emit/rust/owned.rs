//! The enum of all packets that are kept.

use super::file::Code;
use super::names::Names;
use crate::ir::Protocol;

pub(super) fn owned(code: &mut Code, protocol: &Protocol, names: &Names) {
    let arms = |code: &mut Code, head: &str, arm: &dyn Fn(&str, bool) -> String| {
        code.line(head);
        for packet in &protocol.packets {
            code.line(format!("{},", arm(names.of(packet), packet.fields.is_empty())));
        }
    };
    code.line("");
    code.line("/// Any packet, kept.");
    code.line("#[derive(Clone, Debug, PartialEq)]");
    code.line("pub enum OwnedPacket {");
    for packet in &protocol.packets {
        let name = names.of(packet);
        code.line(format!("/// `{}`, number {}.", packet.name, packet.number));
        code.line(if packet.fields.is_empty() {
            format!("{name},")
        } else {
            format!("{name}(Box<{name}>),")
        });
    }
    code.line("}");
    code.line("");
    code.line("impl OwnedPacket {");
    code.line("/// The packet with a number, all of it zero and empty.");
    code.line("#[must_use]");
    code.line("pub fn blank(number: u16) -> Option<Self> {");
    code.line("Some(match number {");
    for packet in &protocol.packets {
        let (number, name) = (packet.number, names.of(packet));
        let blank = if packet.fields.is_empty() { "" } else { "(Box::default())" };
        code.line(format!("{number} => Self::{name}{blank},"));
    }
    code.line("_ => return None,");
    code.line("})");
    code.line("}");
    code.line("");
    code.line("/// The packet, borrowed.");
    code.line("#[must_use]");
    code.line("pub fn as_packet(&self) -> Packet<'_> {");
    arms(code, "match self {", &|name, is_empty| match is_empty {
        true => format!("Self::{name} => Packet::{name}"),
        false => format!("Self::{name}(packet) => Packet::{name}(packet)"),
    });
    code.line("}");
    code.line("}");
    code.line("");
    code.line("/// Its fields, to be changed; `None` if it has none.");
    code.line("#[must_use]");
    code.line("pub fn fields_mut(&mut self) -> Option<&mut dyn Fields> {");
    arms(code, "Some(match self {", &|name, is_empty| match is_empty {
        true => format!("Self::{name} => return None"),
        false => format!("Self::{name}(packet) => &mut **packet"),
    });
    code.line("})");
    code.line("}");
    code.line("}");
    code.line("");
    code.line("impl From<Packet<'_>> for OwnedPacket {");
    code.line("fn from(packet: Packet<'_>) -> Self {");
    arms(code, "match packet {", &|name, is_empty| match is_empty {
        true => format!("Packet::{name} => Self::{name}"),
        false => format!("Packet::{name}(packet) => Self::{name}(Box::new(packet.clone()))"),
    });
    code.line("}");
    code.line("}");
    code.line("}");
    code.line("");
    code.line("impl<'a> From<&'a OwnedPacket> for Packet<'a> {");
    code.line("fn from(packet: &'a OwnedPacket) -> Self {");
    code.line("packet.as_packet()");
    code.line("}");
    code.line("}");
}
