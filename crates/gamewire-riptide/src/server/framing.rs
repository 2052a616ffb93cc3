//! Bytes of streams.

use gamewire_machine::StreamId;

use super::Server;
use super::streams::FormatProbe;
use crate::peer::Frames;
use crate::{DisconnectReason, Endpoint};

impl Server {
    /// Takes the first bytes of a stream out of `data`; whether its format is known now.
    pub(super) fn detect_format(&mut self, stream: StreamId, data: &mut &[u8]) -> bool {
        let (format, start) = match self.streams.start(stream, data) {
            FormatProbe::Short => return false,
            FormatProbe::Known(format, start) if self.config.formats.contains(&format) => (format, start),
            FormatProbe::Known(..) | FormatProbe::Invalid => {
                self.close(Endpoint::Tcp(stream));
                return false;
            }
        };
        let mut frames = Frames::new(format, self.config.max_size(format));
        self.streams.set_format(stream, format);
        // These are fewer bytes than a frame has, or the shortest of 2.0.
        if !self.receive_frames(stream, &mut frames, &start) {
            return false;
        }
        self.streams.put_frames(stream, frames);
        true
    }

    /// Handles all packets in some bytes of a stream; whether more may follow.
    pub(super) fn receive_frames(&mut self, stream: StreamId, frames: &mut Frames, mut data: &[u8]) -> bool {
        let from = Endpoint::Tcp(stream);
        let address = self.streams.address(stream);
        while let Ok(packet) = frames.next(&mut data) {
            let Some(packet) = packet else { return true };
            let is_first = self.streams.is_half_open(stream);
            if is_first {
                // From now on it is the connection that is half open.
                self.half_open.remove(address);
                self.streams.asked(stream);
            }
            // What a connection rejects is dropped, as it would be of a datagram.
            let heard = self.receive_packet(&from, packet);
            if is_first && heard.is_err() {
                break;
            }
            if !self.streams.is_open(stream) {
                return false;
            }
        }
        match self.connections.find(&from) {
            Some(slot) => self.close_connection(slot, DisconnectReason::TransportError),
            None => self.close(from),
        }
        false
    }
}
