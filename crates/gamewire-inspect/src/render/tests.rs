use gamewire_machine::{End, Follow, Instant, Record};

use crate::conversation::{Role, Sighting};
use crate::protocol::toy::Toy;

/// The circumstances that every rendering test shares.
pub(super) fn sighting() -> Sighting {
    Sighting {
        frame: 7,
        time: 1_250_000_000,
        conversation: 3,
        protocol: "toy",
        dialect: Some("toy-1"),
        sender: Role::Client,
        from: "127.0.0.1:5000".parse().unwrap(),
        to: "[::1]:80".parse().unwrap(),
        length: 10,
    }
}

/// What the toy protocol makes of `data`.
pub(super) fn record(data: &[u8]) -> Record {
    let mut record = Record::new();
    Toy::default().follow(Instant::ZERO, End::First, data, &mut record);
    record
}
