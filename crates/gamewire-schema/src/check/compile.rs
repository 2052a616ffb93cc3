use std::collections::{HashMap, HashSet};

use super::constants::{Constants, Context, Missing};
use super::fields::Fields;
use super::flags::set_packet_flags;
use super::types::Aliases;
use super::versions::select;
use crate::diagnostic::{Errors, quoted};
use crate::ir::{Alias, Directions, Packet, Protocol};
use crate::limits::MAX_PACKET_FIELDS;
use crate::parse::{Definition, PacketBlock, Spanned, parse, without_comments};
use crate::source::Sources;

/// Compiles a packet definition: the text of a `packets.def` and the constants of its C headers.
///
/// # Errors
/// [`Errors`] with all errors in the text, up to a maximum number.
pub fn compile(text: &str, constants: &Constants) -> Result<Protocol, Errors> {
    Sources::only("", text).compile(constants)
}

impl Sources {
    /// Compiles the definition.
    ///
    /// # Errors
    /// [`Errors`] with all errors in the texts, up to a maximum number.
    pub fn compile(&self, constants: &Constants) -> Result<Protocol, Errors> {
        let mut errors = Errors::default();
        let texts = without_comments(self, &mut errors);
        let Some(mut definition) = texts.as_deref().and_then(|texts| parse(self, texts, &mut errors)) else {
            return errors.into_result(None);
        };
        let count = errors.list().len();
        let others = select(&mut definition, constants.version, &mut errors);
        if errors.list().len() > count {
            // Stop here, because lines of different versions would cause follow-up errors.
            return errors.into_result(None);
        }
        let aliases = Aliases::new(&definition.aliases, &constants.types, &mut errors);
        let mut context = Context { aliases, constants, missing: Missing::default(), errors };
        let protocol = context.check(&definition, &others);
        context.errors.into_result(Some(protocol))
    }
}

impl<'a> Context<'_, 'a> {
    /// Checks all packets. `others` are the names of packets that only exist in other versions.
    fn check(&mut self, definition: &Definition<'a>, others: &HashSet<&str>) -> Protocol {
        let mut packets: Vec<Packet> = Vec::new();
        let mut cancels = Vec::new();
        for block in &definition.packets {
            if self.errors.is_full() {
                break;
            }
            let (packet, cancel) = self.check_packet(block);
            packets.push(packet);
            cancels.push(cancel);
        }
        self.check_unique(&definition.packets, &packets);
        self.resolve_cancels(&mut packets, &cancels, others);
        self.missing.report(&mut self.errors);
        let mut protocol = Protocol::new(self.constants.name.clone(), packets);
        protocol.topics.clone_from(&definition.topics);
        let aliases = definition.aliases.iter().chain(&definition.forms);
        let aliases =
            aliases.map(|line| Alias { name: line.name.text.into(), source: line.source.to_string() });
        protocol.aliases = aliases.collect();
        protocol.version = self.constants.version;
        protocol.capability_string.clone_from(&self.constants.capabilities);
        protocol
    }

    /// Checks one packet. Returns it with the names of the packets that it cancels. Reports and skips invalid parts.
    fn check_packet<'b>(&mut self, block: &'b PacketBlock<'a>) -> (Packet, Vec<&'b Spanned<'b>>) {
        let number = block.number.text.parse().unwrap_or_else(|_| {
            let error = block.number.error(format!("{} is not a packet number", quoted(block.number.text)));
            self.errors.push(error.hint("packets have numbers from 0 to 65535"));
            0
        });
        let no_direction = Directions { to_client: false, to_server: false };
        let mut packet = Packet::new(block.name.text, number, no_direction);
        packet.doc.clone_from(&block.doc);
        block.topic.clone_into(&mut packet.topic);
        let cancels = set_packet_flags(&mut packet, block, &mut self.errors);
        let mut fields = Fields { packet, by_name: HashMap::new() };
        for line in &block.lines {
            if self.errors.is_full() {
                break;
            }
            fields.add_line(line, self);
        }
        let packet = fields.packet;
        if packet.capabilities.len() > Packet::MAX_CAPABILITIES {
            let message = format!("this packet has more than {} capabilities", Packet::MAX_CAPABILITIES);
            let error = block.name.error(message);
            let hint = "make older capabilities mandatory and remove their flags, or split the packet";
            self.errors.push(error.label("each capability doubles its variants").hint(hint));
        }
        if packet.fields.len() > MAX_PACKET_FIELDS {
            let message = format!("this packet has more than {MAX_PACKET_FIELDS} fields");
            self.errors.push(block.name.error(message));
        }
        (packet, cancels)
    }

    /// Reports numbers and names that are used by more than one packet.
    fn check_unique(&mut self, blocks: &[PacketBlock<'_>], packets: &[Packet]) {
        let mut names = HashMap::new();
        let mut numbers = HashMap::new();
        for (PacketBlock { name, number, .. }, packet) in blocks.iter().zip(packets) {
            if let Some(first) = names.insert(name.text, &name.span) {
                let error = name.error(format!("there are two packets {}", quoted(name.text)));
                self.errors.push(error.repeats(first));
            }
            // An invalid number is already reported.
            if number.text.parse() == Ok(packet.number)
                && let Some(first) = numbers.insert(packet.number, &number.span)
            {
                let error = number.error(format!("there are two packets with number {}", packet.number));
                self.errors.push(error.repeats(first).hint("choose a number that no other packet has"));
            }
        }
    }

    /// Resolves the names of cancelled packets to numbers. Packets that only exist in other versions are omitted.
    fn resolve_cancels(
        &mut self,
        packets: &mut [Packet],
        cancels: &[Vec<&Spanned<'_>>],
        others: &HashSet<&str>,
    ) {
        let numbers: HashMap<String, u16> =
            packets.iter().map(|packet| (packet.name.clone(), packet.number)).collect();
        for (packet, cancels) in packets.iter_mut().zip(cancels) {
            for cancel in cancels {
                if let Some(number) = numbers.get(cancel.text) {
                    packet.cancels.push(*number);
                } else if !others.contains(cancel.text) {
                    let error = cancel.error(format!("there is no packet {}", quoted(cancel.text)));
                    let error = error.label("to be cancelled");
                    self.errors.push(error.hint("write the name of a packet of this definition"));
                }
            }
        }
    }
}
