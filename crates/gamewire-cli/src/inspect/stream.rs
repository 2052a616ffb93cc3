//! `--stream`: one direction of a Freeciv connection from a file.

use gamewire_machine::Role;

use std::io::{self, Read, Write};

use gamewire_freeciv::delta::Direction;
use gamewire_freeciv::follow::{StreamFollower, StreamPacket, sender};
use gamewire_inspect::conversation::{PacketMeta, PacketSource, StreamOffset};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{ProtocolConfig, next_freeciv_packet};
use gamewire_inspect::stats::{CountingTrace, StreamStats, Tee};
use gamewire_inspect::time::DisplayTime;
use gamewire_machine::Record;
use gamewire_wire::Trace;

use super::dump::Dump;
use super::input::Input;
use super::options::{Inspect, SenderArg};
use super::output::Output;
use super::status::{Plural, StatusOutput};
use crate::exit_status::{ExitStatus, Failure, io_message};

/// Maximum number of bytes per read.
const MAX_READ: usize = 1 << 16;
/// The first bytes of capture files.
const CAPTURES: [[u8; 4]; 5] = [
    [0x0a, 0x0d, 0x0d, 0x0a],
    [0xa1, 0xb2, 0xc3, 0xd4],
    [0xd4, 0xc3, 0xb2, 0xa1],
    [0xa1, 0xb2, 0x3c, 0x4d],
    [0x4d, 0x3c, 0xb2, 0xa1],
];

/// One pass over a stream.
pub(super) struct StreamPass<W> {
    pub(super) filter: Option<Filter>,
    pub(super) output: Output<W>,
    pub(super) status: StatusOutput,
    /// Remaining number of packets to show or count.
    pub(super) left: u64,
    pub(super) dump: Option<Dump>,
}

/// The counts of a pass.
#[derive(Default)]
struct PassStats {
    bytes: u64,
    packets: u64,
    shown: u64,
    errors: u64,
    warnings: u64,
}

impl<W: Write> StreamPass<W> {
    pub(super) fn run(
        mut self,
        options: &Inspect,
        has_totals: bool,
        mut input: Input,
        settings: &ProtocolConfig,
    ) -> Result<ExitStatus, Failure> {
        self.output.begin()?;
        let mut buffer = vec![0; MAX_READ];
        let mut count = beginning(&mut input, &mut buffer)?;
        let start = buffer.get(..count).unwrap_or_default();
        if is_capture(start) {
            let message = format!("{} is a capture: remove --stream", input.name);
            return Err(Failure::Failed(message));
        }
        let direction = match options.sender {
            Some(SenderArg::Client) => Direction::ToServer,
            Some(SenderArg::Server) => Direction::ToClient,
            None => sender(start).unwrap_or(Direction::ToClient),
        };
        let capabilities = options.capabilities.clone();
        let definitions = &settings.freeciv;
        let mut follower = StreamFollower::new(definitions, direction, capabilities, settings.freeciv_limits);
        let mut counting = has_totals.then(CountingTrace::new);
        let mut record = Record::new();
        let mut counts = PassStats::default();
        while count > 0 && self.left > 0 {
            let mut rest = buffer.get(..count).unwrap_or_default();
            counts.bytes = counts.bytes.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
            while self.left > 0 {
                record.clear();
                let trace: &mut dyn Trace = match &mut counting {
                    Some(counting) => &mut Tee(&mut record, counting),
                    None => &mut record,
                };
                let Some(packet) = next_freeciv_packet(&mut follower, &mut rest, trace) else { break };
                counts.packet(&record);
                let packet_info = packet_info(counts.packets, packet, &follower);
                self.packet(packet_info, &record, counting.as_mut(), &mut counts)?;
            }
            self.status.at(counts.bytes);
            if self.left > 0 {
                count = read(&mut input, &mut buffer)?;
            }
        }
        let is_whole = self.left > 0;
        let unfinished = if is_whole { follower.pending_bytes() } else { 0 };
        self.status.finish();
        match &counting {
            Some(counting) => {
                let counts = StreamStats {
                    packets: follower.stats().packets,
                    chunks: follower.stats().chunks,
                    bytes: counts.bytes,
                    packets_not_decoded: follower.stats().packets_not_decoded,
                    bytes_not_decoded: follower.stats().bytes_not_decoded,
                    unfinished,
                };
                self.output.stream_totals(&counting.stream_totals(counts))?;
                self.output.to.flush()?;
            }
            None => {
                self.output.to.flush()?;
                self.status.summary(counts.summary(&follower, unfinished, self.filter.is_some()));
            }
        }
        Ok(if counts.errors > 0 || unfinished > 0 { ExitStatus::DamagedInput } else { ExitStatus::Success })
    }

    fn packet(
        &mut self,
        packet_info: PacketMeta<'_>,
        record: &Record,
        counting: Option<&mut CountingTrace>,
        counts: &mut PassStats,
    ) -> Result<(), Failure> {
        Dump::look(self.dump.as_mut(), packet_info, record)?;
        let is_wanted = self.filter.as_ref().is_none_or(|filter| filter.holds(packet_info, record));
        match counting {
            Some(counting) if is_wanted => counting.packet(&packet_info),
            Some(counting) => counting.forget(),
            None if is_wanted => self.output.datagram(packet_info, record)?,
            None => {}
        }
        if is_wanted {
            counts.shown = counts.shown.saturating_add(1);
            self.left = self.left.saturating_sub(1);
        }
        Ok(())
    }
}

/// Returns whether a file that begins with these bytes is a capture.
pub(crate) fn is_capture(start: &[u8]) -> bool {
    CAPTURES.iter().any(|magic| start.starts_with(magic))
}

fn packet_info(number: u64, packet: StreamPacket, follower: &StreamFollower) -> PacketMeta<'static> {
    let source = StreamOffset { offset: packet.offset.stream, inflated: packet.offset.inflated };
    PacketMeta {
        number,
        source: PacketSource::File(source),
        protocol: "freeciv",
        dialect: follower.dialect(),
        sender: match follower.direction() {
            Direction::ToServer => Role::Client,
            Direction::ToClient => Role::Server,
        },
        length: packet.length,
        time: DisplayTime::Seconds(0),
    }
}

/// Reads the first bytes, which show the sender. Returns the number of bytes.
fn beginning(input: &mut Input, buffer: &mut [u8]) -> Result<usize, Failure> {
    let mut count = 0_usize;
    while count < 4 {
        let more = read(input, buffer.get_mut(count..).unwrap_or_default())?;
        if more == 0 {
            break;
        }
        count = count.saturating_add(more);
    }
    Ok(count)
}

fn read(input: &mut Input, buffer: &mut [u8]) -> Result<usize, Failure> {
    loop {
        match input.bytes.read(buffer) {
            Ok(count) => return Ok(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                return Err(Failure::Failed(format!("cannot read {}: {}", input.name, io_message(&error))));
            }
        }
    }
}

impl PassStats {
    fn packet(&mut self, record: &Record) {
        self.packets = self.packets.saturating_add(1);
        self.errors = self.errors.saturating_add(record.errors().into());
        self.warnings = self.warnings.saturating_add(record.warnings().into());
    }

    fn summary(&self, follower: &StreamFollower, unfinished: u64, is_filtered: bool) -> String {
        let mut summary = Plural(self.packets, "packet").to_string();
        if is_filtered {
            summary = format!("{} of {summary}", self.shown);
        }
        let sender = match follower.direction() {
            Direction::ToServer => "client",
            Direction::ToClient => "server",
        };
        summary += &format!(
            " from the {sender}, {} in {}: {}, {}",
            Plural(follower.stats().chunks, "chunk"),
            Plural(self.bytes, "byte"),
            Plural(self.errors, "error"),
            Plural(self.warnings, "warning")
        );
        let skipped = [
            Plural(follower.stats().packets_not_decoded, "packet"),
            Plural(follower.stats().bytes_not_decoded, "byte"),
        ];
        for skipped in skipped.iter().filter(|skipped| skipped.0 > 0) {
            summary += &format!("; {skipped} after the error not decoded");
        }
        if unfinished > 0 {
            summary += &format!("; the last {} are an incomplete packet", Plural(unfinished, "byte"));
        }
        summary
    }
}
