//! Pieces of the harnesses of replays and bridges.

use std::collections::BTreeMap;
use std::sync::Mutex;

use gamewire_machine::Role;
use gamewire_proxy::replay::RecordedConversation;
use gamewire_sim::contract::{self, Harness};

/// Number of recorded packets that the checks send.
const SAMPLES: usize = 8;

pub(super) fn conversation(protocol: &'static str, path: &str) -> RecordedConversation {
    let path = format!("{}/../../vectors/{path}", env!("CARGO_MANIFEST_DIR"));
    RecordedConversation::load_all(&std::fs::read(path).unwrap(), protocol).unwrap().remove(0)
}

/// Returns packets of `sender`, spread over the conversation.
pub(super) fn samples(conversation: &RecordedConversation, sender: Role) -> Vec<Vec<u8>> {
    let packets = conversation.packets.iter().filter(|packet| packet.sender == sender);
    let packets: Vec<_> = packets.map(|packet| packet.bytes.clone()).collect();
    let step = packets.len().div_ceil(SAMPLES);
    packets.into_iter().step_by(step).collect()
}

/// Returns [`samples`] of a recording. It is read once.
pub(super) fn recorded_samples(protocol: &'static str, path: &str, sender: Role) -> Vec<Vec<u8>> {
    type Read = BTreeMap<(String, &'static str), Vec<Vec<u8>>>;
    static READ: Mutex<Read> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap();
    let entry = read.entry((path.to_owned(), sender.name()));
    entry.or_insert_with(|| samples(&conversation(protocol, path), sender)).clone()
}

pub(super) fn seed(seed: u64) -> [u8; 32] {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// Checks a machine over the sequences of `check` and `count` random ones, or twenty times as many with
/// `GAMEWIRE_LONG=1`.
pub(super) fn check<H: Harness>(count: u64) {
    let is_long = std::env::var_os("GAMEWIRE_LONG").is_some_and(|value| value == "1");
    contract::check::<H>();
    contract::check_sequences::<H>(if is_long { 20 * count } else { count }, 10_000);
}
