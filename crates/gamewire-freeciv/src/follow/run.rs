//! The next bytes of one direction, told as one group.

use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value};

use super::half::{DirectionState, FollowState};
use super::outcome::PacketEffect;
use super::packet::{CountingTrace, packet};
use super::talk::SharedState;
use super::warning;
use crate::frame::{FrameError, Packet};

/// Tells a run of bytes: the packets that end in it, and what is left.
pub(super) fn run<T: Trace>(
    half: &mut DirectionState,
    other: &mut DirectionState,
    talk: &mut SharedState,
    (run, limit): (&[u8], usize),
    trace: &mut T,
) {
    let offset = half.counts.bytes;
    half.counts.bytes = offset.saturating_add(u64::try_from(run.len()).unwrap_or(u64::MAX));
    trace.enter_source("stream", run);
    trace.enter(Layer::Packet, "run", Span::bytes(0, run.len()));
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    trace.field("offset", Span::bytes(0, 0), Value::Int(offset));
    match half.state {
        FollowState::Followed | FollowState::GivenUp => packets(half, other, talk, (run, limit), trace),
        FollowState::Lost { is_told } => {
            if !is_told {
                half.state = FollowState::Lost { is_told: true };
                trace.warning(Span::bytes(0, run.len()), &warning::MISSING_BYTES);
            }
            not_decoded(half, run, 0, trace);
        }
    }
    trace.exit();
    trace.exit();
}

/// Tells bytes that cannot be read.
pub(super) fn not_decoded<T: Trace>(half: &mut DirectionState, run: &[u8], start: usize, trace: &mut T) {
    let bytes = run.get(start..).unwrap_or_default();
    half.count_skipped(bytes.len());
    if !bytes.is_empty() {
        trace.field("not_decoded", Span::bytes(start, run.len()), Value::Bytes(bytes));
    }
}

fn packets<T: Trace>(
    half: &mut DirectionState,
    other: &mut DirectionState,
    talk: &mut SharedState,
    (run, limit): (&[u8], usize),
    trace: &mut T,
) {
    let begin = half.splitter.offset();
    let mut rest = run;
    let mut trace = CountingTrace { trace, count: 0 };
    // Where the chunk begins that was entered last.
    let mut chunk = None;
    let mut is_left_out = false;
    let lost_before = half.counts.packets_not_decoded;
    loop {
        let before = run.len().saturating_sub(rest.len());
        let next = half.splitter.next(&mut rest);
        let after = run.len().saturating_sub(rest.len());
        let outcome = match next {
            Ok(Some(found)) if half.state != FollowState::Followed => {
                let begins_chunk = found.offset.inflated == Some(0);
                close(&mut chunk, &mut trace);
                half.count(begins_chunk);
                PacketEffect::Followed
            }
            Ok(Some(found)) => {
                let at = |stream: u64| usize::try_from(stream.saturating_sub(begin)).unwrap_or(usize::MAX);
                let place = found.offset;
                let is_new_chunk = place.inflated == Some(0);
                let stays = place.inflated.is_some() && !is_new_chunk;
                if !stays {
                    close(&mut chunk, &mut trace);
                }
                let is_told = trace.count < limit;
                if !is_told && !is_left_out {
                    is_left_out = true;
                    trace.warning(Span::bytes(after, after), &warning::TRUNCATED_OUTPUT);
                }
                let (decoder, direction) = (&mut half.decoder, half.direction);
                let outcome = match place.inflated {
                    _ if !is_told => packet(decoder, direction, talk, &found, 0, &mut ()),
                    Some(inside) => {
                        if is_new_chunk {
                            open((at(place.stream), after), &found, &mut trace);
                            chunk = Some(());
                        }
                        packet(decoder, direction, talk, &found, inside, &mut trace)
                    }
                    None if place.stream < begin => {
                        part(run, (before, after), &mut trace);
                        trace.enter_source("packet", found.bytes);
                        let outcome = packet(decoder, direction, talk, &found, 0, &mut trace);
                        trace.exit();
                        outcome
                    }
                    None => packet(decoder, direction, talk, &found, at(place.stream), &mut trace),
                };
                half.count(is_new_chunk);
                outcome
            }
            Ok(None) => {
                close(&mut chunk, &mut trace);
                part(run, (before, after), &mut trace);
                break;
            }
            Err(error) => {
                // Behind an error there is nothing to be told any more.
                if half.state == FollowState::Followed {
                    frame_error(&error, before, &mut trace);
                }
                PacketEffect::Lost
            }
        };
        let is_lost = matches!(outcome, PacketEffect::Lost);
        outcome.apply(half, Some(other));
        if is_lost {
            close(&mut chunk, &mut trace);
            not_decoded(half, run, after, &mut trace);
            break;
        }
    }
    let lost = half.counts.packets_not_decoded.saturating_sub(lost_before);
    if lost > 0 {
        let lost = i64::try_from(lost).unwrap_or(i64::MAX);
        trace.field("packets_not_decoded", Span::bytes(0, run.len()), Value::Int(lost));
    }
}

/// Enters a chunk, which stands in the run from one byte up to another, or ends there.
fn open<T: Trace>((start, end): (usize, usize), first: &Packet<'_>, trace: &mut T) {
    let span = Span::bytes(start, end);
    trace.enter(Layer::Packet, "chunk", span);
    let inflated = i64::try_from(first.chunk.len()).unwrap_or(i64::MAX);
    trace.field("inflated", span, Value::Int(inflated));
    trace.enter_source("chunk", first.chunk);
}

fn close<T: Trace>(chunk: &mut Option<()>, trace: &mut T) {
    if chunk.take().is_some() {
        trace.exit();
        trace.exit();
    }
}

/// Tells a part of a frame that ends in a later run, or began in an earlier one.
fn part<T: Trace>(run: &[u8], (start, end): (usize, usize), trace: &mut T) {
    if start < end {
        trace.field("part", Span::bytes(start, end), Value::Bytes(run.get(start..end).unwrap_or_default()));
    }
}

/// Tells what is wrong with a frame that begins at a byte of what the trace knows.
pub(super) fn frame_error<T: Trace>(error: &FrameError, start: usize, trace: &mut T) {
    let start = error.place.inflated.unwrap_or(start);
    let short = CodecError::new(start, "a frame", Found::End).in_packet("freeciv");
    trace.error_with_context(&short, error);
}
