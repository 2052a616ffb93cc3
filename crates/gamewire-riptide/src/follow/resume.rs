//! The packets from which a new follower learns the state of a conversation: the connect request, the Welcome, messages
//! with the sequence numbers that were captured, the last heartbeats, and the beginning of an incomplete frame.

use gamewire_machine::{ConversationSide, Instant};
use gamewire_websocket::{Opcode, append_frame};

use super::follower::Follower;
use super::framing::Framing;
use super::history::Sequence;
use crate::Format;
use crate::shared::frame;
use crate::shared::message::Writer;
use crate::shared::packet::{Connect, Heartbeat, Notify, Packet, Pending, Reliable, Welcome};
use crate::versions::by_format;

/// A callback that receives packets: their sender, their time if it matters, and their bytes.
type Send<'a> = dyn FnMut(ConversationSide, Option<Instant>, &[u8]) + 'a;

/// Maximum distance of a sequence number to an older one. With a larger distance, it counts as older.
const MAX_STEP: u16 = i16::MAX.cast_unsigned();

impl Follower {
    /// Passes to `send` the packets from which a new follower learns the state of this one, with the time of a packet if it
    /// matters. Passes nothing if neither the connect request nor the Welcome was captured.
    pub fn resume(&self, send: &mut Send<'_>) {
        let Self { framing, tracker } = self;
        let Some(client) = tracker.client else { return };
        let (server, format) = (client.other(), tracker.format);
        let mut send_packet = |side, at, packet: Packet<'_>| {
            let Some(bytes) = encode(format, &packet) else { return };
            match framing {
                Framing::Datagrams => send(side, at, &bytes),
                Framing::Streams(_) => {
                    let mut framed = Vec::new();
                    frame::append(format, &bytes, &mut framed);
                    send(side, at, &framed);
                }
                Framing::WebSockets(_) => {
                    let mut framed = Vec::new();
                    append_frame(Opcode::Binary, &bytes, (side == client).then_some([0; 4]), &mut framed);
                    send(side, at, &framed);
                }
            }
        };
        if tracker.is_from_start {
            send_packet(client, None, Connect::default().into());
        }
        let Some((seq_id, client_id)) = tracker.welcome else {
            if tracker.is_from_start {
                // After this notice, the detector recognizes each further reply to the request.
                send_packet(server, None, Pending::default().into());
            }
            return;
        };
        send_packet(server, None, Welcome { seq_id, client_id, ..Welcome::default() }.into());
        for side in [server, client] {
            let sequences = tracker.sequences_of(side);
            let first = (side == server).then_some(seq_id);
            for seq_id in captured(sequences.reliable, first) {
                send_packet(side, None, Reliable { seq_id, ..Reliable::default() }.into());
            }
            for seq_id in captured(sequences.notify, None) {
                send_packet(side, None, Notify { seq_id, ..Notify::default() }.into());
            }
        }
        for (ping_id, at) in tracker.heartbeats.requests() {
            send_packet(client, Some(at), Heartbeat { ping_id, rtt: -1, ..Heartbeat::default() }.into());
        }
        for side in [server, client] {
            let pending = framing.pending(side);
            if !pending.is_empty() {
                send(side, None, &pending);
            }
        }
    }
}

/// Returns the captured numbers, oldest first, without `first`, which another packet has. If the oldest is too far from
/// `first`, a number between both precedes it.
fn captured(sequence: Sequence, first: Option<u16>) -> Vec<u16> {
    let mut ids: Vec<_> = sequence.captured().collect();
    if let (Some(first), Some(oldest)) = (first, ids.first().copied()) {
        ids.retain(|id| *id != first);
        if oldest.wrapping_sub(first) > MAX_STEP {
            ids.insert(0, first.wrapping_add(MAX_STEP));
        }
    }
    ids
}

fn encode(format: Format, packet: &Packet<'_>) -> Option<Vec<u8>> {
    /// More than a packet without data needs.
    const MAX_BYTES: usize = 32;
    by_format!(format, V => {
        let mut buffer = [0; MAX_BYTES];
        let mut to = Writer::<V>::with_max_size(&mut buffer, MAX_BYTES);
        packet.encode(&mut to).ok()?;
        Some(to.written().to_vec())
    })
}
