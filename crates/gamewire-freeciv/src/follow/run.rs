//! Follows the next bytes of one direction and reports them as one group.

use core::ops::Range;

use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value};

use super::direction::{DirectionState, FollowState, PacketEffect};
use super::packet::{CountingTrace, packet};
use super::shared_state::SharedState;
use super::warning;
use crate::frame::{FrameError, Packet};

/// Reports a run of bytes: the packets that end in it, and the part of a packet at its end. Reports at most
/// `max_groups` groups of packets.
pub(super) fn run<T: Trace>(
    direction: &mut DirectionState,
    other: &mut DirectionState,
    shared: &mut SharedState,
    run: &[u8],
    max_groups: usize,
    trace: &mut T,
) {
    let offset = direction.stats.bytes;
    direction.stats.bytes = offset.saturating_add(u64::try_from(run.len()).unwrap_or(u64::MAX));
    trace.enter_source("stream", run);
    trace.enter(Layer::Packet, "run", Span::bytes(0, run.len()));
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    trace.field("offset", Span::bytes(0, 0), Value::Int(offset));
    match direction.state {
        FollowState::Followed | FollowState::GivenUp => {
            packets(direction, other, shared, run, max_groups, trace)
        }
        FollowState::Lost { is_reported } => {
            if !is_reported {
                direction.state = FollowState::Lost { is_reported: true };
                trace.warning(Span::bytes(0, run.len()), &warning::MISSING_BYTES);
            }
            not_decoded(direction, run, 0, trace);
        }
    }
    trace.exit();
    trace.exit();
}

/// Reports bytes that cannot be split into frames.
pub(super) fn not_decoded<T: Trace>(direction: &mut DirectionState, run: &[u8], start: usize, trace: &mut T) {
    let bytes = run.get(start..).unwrap_or_default();
    direction.count_skipped(bytes.len());
    if !bytes.is_empty() {
        trace.field("not_decoded", Span::bytes(start, run.len()), Value::Bytes(bytes));
    }
}

fn packets<T: Trace>(
    direction: &mut DirectionState,
    other: &mut DirectionState,
    shared: &mut SharedState,
    run: &[u8],
    max_groups: usize,
    trace: &mut T,
) {
    let begin = direction.splitter.offset();
    let mut rest = run;
    let mut trace = CountingTrace { trace, count: 0 };
    let mut is_in_chunk = false;
    let mut is_truncated = false;
    let lost_before = direction.stats.packets_not_decoded;
    loop {
        let before = run.len().saturating_sub(rest.len());
        let next = direction.splitter.next(&mut rest);
        let after = run.len().saturating_sub(rest.len());
        let effect = match next {
            Ok(Some(found)) if direction.state != FollowState::Followed => {
                close(&mut is_in_chunk, &mut trace);
                let offset = found.offset;
                direction.count(offset);
                PacketEffect::Followed
            }
            Ok(Some(found)) => {
                let at = |stream: u64| usize::try_from(stream.saturating_sub(begin)).unwrap_or(usize::MAX);
                let offset = found.offset;
                let is_new_chunk = offset.inflated == Some(0);
                if offset.inflated.is_none() || is_new_chunk {
                    close(&mut is_in_chunk, &mut trace);
                }
                let is_reported = trace.count < max_groups;
                if !is_reported && !is_truncated {
                    is_truncated = true;
                    trace.warning(Span::bytes(after, after), &warning::TRUNCATED_OUTPUT);
                }
                let (decoder, sender) = (&mut direction.decoder, direction.direction);
                let effect = match offset.inflated {
                    _ if !is_reported => packet(decoder, sender, shared, &found, 0, &mut ()),
                    Some(inside) => {
                        if is_new_chunk {
                            open(Span::bytes(at(offset.stream), after), &found, &mut trace);
                            is_in_chunk = true;
                        }
                        packet(decoder, sender, shared, &found, inside, &mut trace)
                    }
                    None if offset.stream < begin => {
                        part(run, before..after, &mut trace);
                        trace.enter_source("packet", found.bytes);
                        let effect = packet(decoder, sender, shared, &found, 0, &mut trace);
                        trace.exit();
                        effect
                    }
                    None => packet(decoder, sender, shared, &found, at(offset.stream), &mut trace),
                };
                direction.count(offset);
                effect
            }
            Ok(None) => {
                close(&mut is_in_chunk, &mut trace);
                part(run, before..after, &mut trace);
                break;
            }
            Err(error) => {
                // Packets after an error are not reported.
                if direction.state == FollowState::Followed {
                    frame_error(&error, before, &mut trace);
                }
                PacketEffect::Lost
            }
        };
        let is_lost = matches!(effect, PacketEffect::Lost);
        effect.apply(direction, Some(other));
        if is_lost {
            close(&mut is_in_chunk, &mut trace);
            not_decoded(direction, run, after, &mut trace);
            break;
        }
    }
    let lost = direction.stats.packets_not_decoded.saturating_sub(lost_before);
    if lost > 0 {
        let lost = i64::try_from(lost).unwrap_or(i64::MAX);
        trace.field("packets_not_decoded", Span::bytes(0, run.len()), Value::Int(lost));
    }
}

/// Enters a chunk that ends in the run.
fn open<T: Trace>(span: Span, first: &Packet<'_>, trace: &mut T) {
    trace.enter(Layer::Packet, "chunk", span);
    let inflated = i64::try_from(first.chunk.len()).unwrap_or(i64::MAX);
    trace.field("inflated", span, Value::Int(inflated));
    trace.enter_source("chunk", first.chunk);
}

fn close<T: Trace>(is_in_chunk: &mut bool, trace: &mut T) {
    if core::mem::take(is_in_chunk) {
        trace.exit();
        trace.exit();
    }
}

/// Reports the part of a frame that continues in another run.
fn part<T: Trace>(run: &[u8], range: Range<usize>, trace: &mut T) {
    if !range.is_empty() {
        let span = Span::bytes(range.start, range.end);
        trace.field("part", span, Value::Bytes(run.get(range).unwrap_or_default()));
    }
}

/// Reports the error of a frame that starts at byte `start` of the trace's source.
pub(super) fn frame_error<T: Trace>(error: &FrameError, start: usize, trace: &mut T) {
    let start = error.offset.inflated.unwrap_or(start);
    let short = CodecError::new(start, "a frame", Found::End).in_packet("freeciv");
    trace.error_with_context(&short, error);
}
