use std::collections::HashMap;

use super::aliases::Aliases;
use super::constants::Constants;
use super::context::{Context, Missing};
use super::flags::Cancel;
use super::packet::check_packet;
use crate::diagnostic::{Diagnostic, Errors, quoted};
use crate::ir::{Alias, Packet, Protocol};
use crate::parse::{Definition, PacketBlock, parse};
use crate::source::{SourceFile, Sources};

/// Compiles a packet definition: the text of a `packets.def` and the constants of its C headers.
///
/// # Errors
///
/// All errors of the text, up to a maximum number.
pub fn compile(text: &str, constants: &Constants) -> Result<Protocol, Errors> {
    check_files(&[SourceFile::only("", text)], constants)
}

impl Sources {
    /// Compiles the definition.
    ///
    /// # Errors
    ///
    /// All errors of the texts, up to a maximum number.
    pub fn compile(&self, constants: &Constants) -> Result<Protocol, Errors> {
        check_files(&self.files(), constants)
    }
}

fn check_files(files: &[SourceFile<'_>], constants: &Constants) -> Result<Protocol, Errors> {
    let mut errors = Errors::default();
    let protocol = parse(files, &mut errors, |definition, errors| check(definition, constants, errors));
    match protocol {
        Some(protocol) if errors.is_empty() => Ok(protocol),
        _ => {
            if errors.is_full() {
                errors.mark_more();
            }
            errors.sort();
            Err(errors)
        }
    }
}

fn check(definition: &Definition<'_>, constants: &Constants, errors: &mut Errors) -> Protocol {
    let aliases = Aliases::new(&definition.aliases, errors);
    let mut context = Context { aliases, constants, missing: Missing::default() };
    let mut packets: Vec<Packet> = Vec::new();
    let mut cancels = Vec::new();
    for block in &definition.packets {
        if errors.is_full() {
            break;
        }
        let (packet, cancel) = check_packet(block, &mut context, errors);
        packets.push(packet);
        cancels.push(cancel);
    }
    check_unique(&definition.packets, &packets, errors);
    resolve_cancels(&mut packets, &cancels, errors);
    context.missing.report(errors);
    let mut protocol = Protocol::new(constants.name.clone(), packets);
    protocol.topics.clone_from(&definition.topics);
    protocol.aliases = definition.aliases.iter().map(alias).collect();
    protocol
}

fn alias(line: &crate::parse::AliasLine<'_>) -> Alias {
    let word = line.source.word.text;
    let source = match &line.source.public {
        Some(public) => format!("{word}({})", public.text),
        None => word.to_owned(),
    };
    Alias { name: line.name.text.to_owned(), source }
}

/// Reports numbers and names that several packets have.
fn check_unique(blocks: &[PacketBlock<'_>], packets: &[Packet], errors: &mut Errors) {
    let mut names = HashMap::new();
    let mut numbers = HashMap::new();
    for (block, packet) in blocks.iter().zip(packets) {
        if let Some(first) = names.insert(block.name.text, &block.name.span) {
            let message = format!("there are two packets {}", quoted(block.name.text));
            let error = Diagnostic::new(message, block.name.span.clone()).label("again here");
            errors.push(error.secondary_label(first.clone(), "the first one"));
        }
        if block.number.text.parse() != Ok(packet.number) {
            // Invalid, which is already reported.
            continue;
        }
        if let Some(first) = numbers.insert(packet.number, &block.number.span) {
            let message = format!("there are two packets with number {}", packet.number);
            let error = Diagnostic::new(message, block.number.span.clone()).label("again here");
            let error = error.hint("choose a number that no other packet has");
            errors.push(error.secondary_label(first.clone(), "the first one"));
        }
    }
}

/// Resolves the names of cancelled packets to numbers.
fn resolve_cancels(packets: &mut [Packet], cancels: &[Vec<Cancel<'_>>], errors: &mut Errors) {
    let numbers: HashMap<String, u16> =
        packets.iter().map(|packet| (packet.name.clone(), packet.number)).collect();
    for (packet, cancels) in packets.iter_mut().zip(cancels) {
        for cancel in cancels {
            if let Some(number) = numbers.get(cancel.0.text) {
                packet.cancels.push(*number);
            } else if !errors.is_full() {
                let message = format!("there is no packet {}", quoted(cancel.0.text));
                let error = Diagnostic::new(message, cancel.0.span.clone()).label("to be cancelled");
                errors.push(error.hint("write the name of a packet of this definition"));
            }
        }
    }
}
