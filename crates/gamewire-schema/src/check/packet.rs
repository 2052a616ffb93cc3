use super::context::Context;
use super::fields::Fields;
use super::flags::{Cancel, set_packet_flags};
use crate::diagnostic::{Diagnostic, Errors, quoted};
use crate::ir::{Directions, Packet};
use crate::limits::MAX_PACKET_FIELDS;
use crate::parse::PacketBlock;

/// Checks one packet, and returns it with the names of the packets that it cancels. Reports and skips
/// invalid parts.
pub(super) fn check_packet<'b, 'a>(
    block: &'b PacketBlock<'a>,
    context: &mut Context<'_, 'a>,
    errors: &mut Errors,
) -> (Packet, Vec<Cancel<'b>>) {
    let number = block.number.text.parse().unwrap_or_else(|_| {
        let message = format!("{} is not a packet number", quoted(block.number.text));
        let error = Diagnostic::new(message, block.number.span.clone());
        errors.push(error.hint("packets have numbers from 0 to 65535"));
        0
    });
    let no_direction = Directions { to_client: false, to_server: false };
    let mut packet = Packet::new(block.name.text, number, no_direction);
    packet.doc.clone_from(&block.doc);
    block.topic.clone_into(&mut packet.topic);
    let cancels = set_packet_flags(&mut packet, block, errors);
    let mut fields = Fields::new(packet);
    for line in &block.lines {
        if errors.is_full() {
            break;
        }
        fields.add_line(line, context, errors);
    }
    let packet = fields.finish();
    if packet.capabilities.len() > Packet::MAX_CAPABILITIES {
        let message = format!("this packet has more than {} capabilities", Packet::MAX_CAPABILITIES);
        errors.push(Diagnostic::new(message, block.name.span.clone()));
    }
    if packet.fields.len() > MAX_PACKET_FIELDS {
        let message = format!("this packet has more than {MAX_PACKET_FIELDS} fields");
        errors.push(Diagnostic::new(message, block.name.span.clone()));
    }
    (packet, cancels)
}
