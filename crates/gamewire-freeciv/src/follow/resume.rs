//! The bytes from which a new follower learns the state of a connection: the join, every baseline as a packet, and the
//! beginning of a packet that is not complete.

use std::sync::Arc;

use gamewire_machine::ConversationSide;

use super::direction::{DirectionState, FollowState};
use super::follower::Follower;
use crate::delta::{DeltaEncoder, EncodeOptions};
use crate::frame::{CompressionLevel, FrameWriter};

impl Follower {
    /// Passes to `send` the parts of both streams from which a new follower learns the state of this one. Passes nothing
    /// if the first bytes of the connection were missing.
    pub fn resume(&self, send: &mut dyn FnMut(ConversationSide, &[u8])) {
        let (client, server) = (self.client, self.client.other());
        let mut send = |side, bytes: &[u8]| {
            if !bytes.is_empty() {
                send(side, bytes);
            }
        };
        send(client, &self.shared.request);
        send(server, &self.shared.reply);
        let directions = [(server, &self.from_server), (client, &self.from_client)];
        if self.shared.is_joined {
            directions.iter().for_each(|(side, direction)| send(*side, &baselines(direction)));
        }
        directions.iter().for_each(|(side, direction)| send(*side, &direction.splitter.pending()));
    }
}

/// Returns the baselines of a direction as packets.
fn baselines(direction: &DirectionState) -> Vec<u8> {
    if direction.state != FollowState::Followed {
        return Vec::new();
    }
    let variants = direction.decoder.variants();
    let mut baselines: Vec<_> = direction.decoder.baselines().collect();
    baselines.sort_by_key(|(packet, key, _)| {
        // The packet that assigns the player removes baselines that describe the game, and others remove single ones.
        (packet.name != "PACKET_CONN_INFO", packet.cancels.is_empty(), packet.number, *key)
    });
    let mut encoder = DeltaEncoder::new(Arc::clone(variants), direction.direction, direction.limits);
    let mut writer = FrameWriter::new(CompressionLevel::new(1));
    writer.use_wide_types();
    let (mut body, mut out) = (Vec::new(), Vec::new());
    writer.freeze();
    for (packet, _, values) in baselines {
        body.clear();
        // A baseline was received, so it fits.
        if encoder.encode(packet.number, values, EncodeOptions::default(), &mut body).is_ok() {
            let _ = writer.write(packet.number, &body, &mut out);
        }
    }
    writer.thaw(&mut out);
    out
}
