//! Publishes the state of this proxy every second, and records immediately.

use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::stream::{Config, DiscardPolicy, StorageType};
use async_nats::jetstream::{self, Context};
use gamewire_page::Source;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::records::Records;
use super::refusals::Refusals;
use super::state::{Identity, ProxyState};
use super::subject::{self, PREFIX};

/// Interval between two messages with the state.
const INTERVAL: Duration = Duration::from_secs(1);
/// Maximum time to send a message. If the server takes longer, the message is dropped.
const PUBLISH_TIME: Duration = Duration::from_millis(500);
/// Time after which published states and records are deleted.
const STATE_AGE: Duration = Duration::from_secs(60);
const RECORD_AGE: Duration = Duration::from_secs(3_600);
/// Maximum bytes of records that the server keeps.
const MAX_RECORD_BYTES: i64 = 64 << 20;

/// Returns the streams: one has the last state of each proxy, the other has the records of an hour.
fn streams() -> [Config; 2] {
    let states = Config {
        name: "GAMEWIRE_STATES".into(),
        subjects: vec![format!("{PREFIX}.*.state")],
        max_messages_per_subject: 1,
        max_age: STATE_AGE,
        storage: StorageType::Memory,
        discard: DiscardPolicy::Old,
        ..Config::default()
    };
    let records = Config {
        name: "GAMEWIRE_RECORDS".into(),
        subjects: vec![format!("{PREFIX}.*.records")],
        max_messages_per_subject: 0,
        max_age: RECORD_AGE,
        max_bytes: MAX_RECORD_BYTES,
        ..states.clone()
    };
    [states, records]
}

/// Publishes until the program ends.
pub(super) async fn publish(
    client: Client,
    identity: Identity,
    source: Source,
    mut records: Option<Records>,
    refusals: Refusals,
) {
    let jetstream = jetstream::new(client.clone());
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sequence = 0_u64;
    let mut has_streams = false;
    let subject = subject::records(&identity.name);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                has_streams = has_streams || refusals.is_connected() && create_streams(&jetstream, &refusals).await;
                sequence = sequence.saturating_add(1);
                let dropped = records.as_ref().map_or(0, |records| records.dropped.load(Ordering::Relaxed));
                let state = ProxyState::of(&identity, sequence, &source, dropped);
                let message = serde_json::to_vec(&state).unwrap_or_default();
                // A lost state is not resent, because the next one replaces it.
                let _ = send(&client, subject::state(&identity.name), message, &refusals).await;
            }
            Some(record) = next(&mut records) => {
                if !send(&client, subject.clone(), record, &refusals).await
                    && let Some(records) = &records
                {
                    records.dropped.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }
}

async fn next(records: &mut Option<Records>) -> Option<Vec<u8>> {
    match records {
        Some(records) => records.queue.recv().await,
        None => std::future::pending().await,
    }
}

/// Creates the streams. Returns false if that fails: a server without JetStream only forwards messages.
async fn create_streams(jetstream: &Context, refusals: &Refusals) -> bool {
    for config in streams() {
        let name = config.name.clone();
        match timeout(PUBLISH_TIME, jetstream.get_or_create_stream(config)).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => {
                refusals.report(&format!("cannot keep the messages of the stream {name}: {error}"));
                return false;
            }
            Err(_) => return false,
        }
    }
    true
}

/// Sends a message. Returns false if it is larger than the server allows, or the server is too slow.
async fn send(client: &Client, subject: String, message: Vec<u8>, refusals: &Refusals) -> bool {
    // The limit is 0 before the server has announced it.
    let limit = Some(client.server_info().max_payload).filter(|limit| *limit > 0).unwrap_or(1 << 20);
    if message.len() > limit {
        refusals
            .report(&format!("a message to {subject} is larger than the server's limit of {limit} bytes"));
        return false;
    }
    matches!(timeout(PUBLISH_TIME, client.publish(subject, message.into())).await, Ok(Ok(())))
}
