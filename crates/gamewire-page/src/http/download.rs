use std::collections::HashMap;

use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use gamewire_inspect::render;
use gamewire_machine::{Role, Transport};
use gamewire_watch::recording::{RecordError, RecordedStream, Recorder};
use tokio::task::spawn_blocking;

use super::error::Refusal;
use super::query::PacketQuery;
use crate::Page;
use crate::traffic::{Selection, Source};

/// Maximum number of packets in a download.
const MAX_PACKETS: usize = 1_000_000;
/// Maximum number of packets that are requested from the source in one step.
const MAX_BATCH: usize = 1_000;

/// Returns the selected packets as a file: pcapng or NDJSON.
pub(super) async fn download(
    State(page): State<Page>,
    Query(query): Query<PacketQuery>,
) -> Result<Response, Refusal> {
    let (source, selection) = (query.source(&page)?, query.selection(&page)?);
    let is_capture = match query.format.as_deref() {
        Some("pcapng") | None => true,
        Some("ndjson") => false,
        Some(_) => return Err(Refusal::bad_request("use format=pcapng or format=ndjson")),
    };
    let file =
        spawn_blocking(
            move || if is_capture { capture(&source, &selection) } else { lines(&source, &selection) },
        );
    let file =
        file.await.ok().and_then(Result::ok).ok_or_else(|| Refusal::bad_request("the file is too large"))?;
    let (kind, name) = if is_capture {
        ("application/x-pcapng", "attachment; filename=\"gamewire.pcapng\"")
    } else {
        ("application/x-ndjson", "attachment; filename=\"gamewire.ndjson\"")
    };
    Ok(([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], file).into_response())
}

/// Passes the selected packets to `each`, oldest first.
fn packets<E>(
    source: &Source,
    selection: &Selection,
    mut each: impl FnMut(&crate::traffic::StoredPacket) -> Result<(), E>,
) -> Result<(), E> {
    let (mut next, mut left) = (0, MAX_PACKETS);
    while left > 0 {
        let found = source.from(next, selection, MAX_BATCH.min(left));
        next = found.next;
        if found.packets.is_empty() {
            break;
        }
        left = left.saturating_sub(found.packets.len());
        found.packets.iter().try_for_each(|packet| each(packet))?;
    }
    Ok(())
}

fn capture(source: &Source, selection: &Selection) -> Result<Vec<u8>, RecordError> {
    let mut file = Vec::new();
    let mut recorder = Recorder::new(&mut file)?;
    let mut streams: HashMap<u64, RecordedStream> = HashMap::new();
    packets(source, selection, |packet| {
        let info = &packet.info;
        let (time, bytes) = (info.timestamp, packet.bytes());
        if packet.delivery.is_lost {
            return Ok(());
        }
        if info.transport == Transport::Udp {
            return match recorder.datagram(time, info.from, info.to, bytes) {
                // Leave out a datagram that is too long for the format. The rest of the file is valid.
                Err(RecordError::TooLong { .. }) => Ok(()),
                recorded => recorded,
            };
        }
        let (client, server) = match info.sender {
            Role::Client => (info.from, info.to),
            Role::Server => (info.to, info.from),
        };
        let mut stream = match streams.get(&info.conversation) {
            Some(stream) => *stream,
            None => recorder.open_stream(time, client, server)?,
        };
        recorder.stream(time, &mut stream, info.sender, bytes)?;
        streams.insert(info.conversation, stream);
        Ok(())
    })?;
    recorder.flush()?;
    drop(recorder);
    Ok(file)
}

fn lines(source: &Source, selection: &Selection) -> Result<Vec<u8>, RecordError> {
    let mut file = Vec::new();
    packets(source, selection, |packet| -> Result<(), RecordError> {
        // Writing to memory cannot fail.
        let _ = render::json(&mut file, packet.meta(), &packet.record(), false);
        Ok(())
    })?;
    Ok(file)
}
