use std::io::{self, Write};

use super::escape::Escaped;
use super::palette::Palette;
use crate::stats::{CaptureStats, FlowTotals, NameTotals, ProblemTotals, StreamTotals};
use crate::time::seconds;

/// Maximum number of conversations that are listed.
const MAX_CONVERSATIONS: usize = 50;

/// Writes totals as tables: frames, messages, items, dialects, conversations, errors, warnings.
///
/// # Errors
/// The error of `out`.
pub fn totals(out: &mut dyn Write, totals: &CaptureStats, palette: &Palette) -> io::Result<()> {
    frames(out, totals, palette)?;
    names(out, "message", &totals.messages, palette)?;
    names(out, "item", &totals.items, palette)?;
    dialects(out, totals, palette)?;
    conversations(out, totals, palette)?;
    problems(out, "error", &totals.errors, palette.error, palette)?;
    problems(out, "warning", &totals.warnings, palette.warning, palette)
}

/// Writes the totals of a stream as tables: the stream itself, messages, errors, warnings.
///
/// # Errors
/// The error of `out`.
pub fn stream_totals(out: &mut dyn Write, totals: &StreamTotals, palette: &Palette) -> io::Result<()> {
    let Palette { heading, .. } = palette;
    let stream = totals.stream;
    writeln!(out, "{heading}{:<34} {:>10}{heading:#}", "stream", "count")?;
    for (name, count, is_always) in [
        ("bytes", stream.bytes, true),
        ("packets", stream.packets, true),
        ("chunks", stream.chunks, true),
        ("packets not decoded", stream.packets_not_decoded, false),
        ("bytes not decoded", stream.bytes_not_decoded, false),
        ("bytes of an unfinished packet", stream.unfinished, false),
    ] {
        if is_always || count > 0 {
            writeln!(out, "{name:<34} {count:>10}")?;
        }
    }
    names(out, "message", &totals.messages, palette)?;
    problems(out, "error", &totals.errors, palette.error, palette)?;
    problems(out, "warning", &totals.warnings, palette.warning, palette)
}

fn frames(out: &mut dyn Write, totals: &CaptureStats, palette: &Palette) -> io::Result<()> {
    let Palette { heading, .. } = palette;
    writeln!(out, "{heading}{:<34} {:>10} {:>12}{heading:#}", "frames", "count", "bytes")?;
    let frames = totals.frames;
    writeln!(out, "{:<34} {:>10} {:>12}", "datagrams", frames.datagrams, frames.bytes)?;
    for (name, count) in [
        ("unrecognized", frames.unrecognized),
        ("skipped", frames.skipped),
        ("damaged headers", frames.damaged),
    ] {
        if count > 0 {
            writeln!(out, "{name:<34} {count:>10}")?;
        }
    }
    Ok(())
}

fn names(out: &mut dyn Write, kind: &str, list: &[NameTotals], palette: &Palette) -> io::Result<()> {
    let Palette { heading, group, .. } = palette;
    if list.is_empty() {
        return Ok(());
    }
    let (client, server, bytes) = ("client", "server", "bytes");
    writeln!(out, "\n{heading}{kind:<34} {client:>10} {server:>10} {bytes:>12}{heading:#}")?;
    for NameTotals { name, client, server, bytes } in list {
        let name = Escaped(name.as_bytes()).to_string();
        writeln!(out, "{group}{name:<34}{group:#} {client:>10} {server:>10} {bytes:>12}")?;
    }
    Ok(())
}

fn dialects(out: &mut dyn Write, totals: &CaptureStats, palette: &Palette) -> io::Result<()> {
    let Palette { heading, dialect: style, .. } = palette;
    if totals.dialects.is_empty() {
        return Ok(());
    }
    write!(out, "\n{heading}{:<12} {:>13} {:>9} {:>12}", "dialect", "conversations", "datagrams", "bytes")?;
    writeln!(out, " {:>9} {:>9} {:>8} {:>8}{heading:#}", "messages", "in groups", "errors", "warnings")?;
    for row in &totals.dialects {
        write!(out, "{style}{:<12}{style:#} {:>13}", row.dialect, row.conversations)?;
        let FlowTotals { datagrams, bytes, messages, in_groups } = row.flow;
        write!(out, " {datagrams:>9} {bytes:>12} {messages:>9} {in_groups:>9}")?;
        writeln!(out, " {:>8} {:>8}", row.errors, row.warnings)?;
    }
    Ok(())
}

fn conversations(out: &mut dyn Write, totals: &CaptureStats, palette: &Palette) -> io::Result<()> {
    let Palette { heading, dim, dialect: style, client, server, .. } = palette;
    if totals.conversations.is_empty() {
        return Ok(());
    }
    write!(out, "\n{heading}{:<12} {:<11} {:>11} {:>11}", "conversation", "dialect", "first s", "last s")?;
    write!(out, " {:>17} {:>17} {:>6} {:>8}", "client datagrams", "server datagrams", "errors", "warnings")?;
    writeln!(out, "  client → server{heading:#}")?;
    for row in totals.conversations.iter().take(MAX_CONVERSATIONS) {
        let dialect = row.dialect.unwrap_or(row.protocol);
        write!(out, "{:<12} {style}{dialect:<11}{style:#}", row.number)?;
        write!(out, " {:>11.6} {:>11.6}", seconds(row.first), seconds(row.last))?;
        write!(out, " {:>17} {:>17}", row.from_client.datagrams, row.from_server.datagrams)?;
        write!(out, " {:>6} {:>8}", row.errors, row.warnings)?;
        writeln!(out, "  {client}{}{client:#} → {server}{}{server:#}", row.client, row.server)?;
        if !row.counters.is_empty() {
            let counters = row.counters.iter().map(|(name, count)| format!("{name} {count}"));
            writeln!(out, "{dim}{:<12} {}{dim:#}", "", counters.collect::<Vec<_>>().join(", "))?;
        }
    }
    let left_out = totals.conversations.len().saturating_sub(MAX_CONVERSATIONS);
    let more = totals.further_conversations.saturating_add(u64::try_from(left_out).unwrap_or(u64::MAX));
    if more > 0 {
        writeln!(out, "{dim}and {more} more conversations{dim:#}")?;
    }
    Ok(())
}

fn problems(
    out: &mut dyn Write,
    kind: &str,
    list: &[ProblemTotals],
    style: anstyle::Style,
    palette: &Palette,
) -> io::Result<()> {
    let Palette { heading, .. } = palette;
    if list.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{heading}{:>10}  {kind}{heading:#}", "count")?;
    for ProblemTotals { name, count } in list {
        writeln!(out, "{count:>10}  {style}{}{style:#}", Escaped(name.as_bytes()))?;
    }
    Ok(())
}
