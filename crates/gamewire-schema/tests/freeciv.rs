//! The definition of a real Freeciv. It is not part of this project: name your own copy.
//!
//! ```sh
//! PACKETS_DEF=freeciv-3.0.6/common/networking/packets.def cargo test -p gamewire-schema -- --ignored
//! ```
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails")]

use std::fs;

use gamewire_schema::{Constants, compile};

const CONSTANTS: &str = include_str!("../../../definitions/freeciv-3.0/constants.toml");

#[test]
#[ignore = "needs the packets.def of Freeciv 3.0.6, named in PACKETS_DEF"]
fn the_definition_of_3_0_6_compiles_whole() {
    let text = fs::read_to_string(std::env::var("PACKETS_DEF").unwrap()).unwrap();
    let protocol = compile(&text, &Constants::from_toml(CONSTANTS).unwrap()).unwrap();
    let fields = || protocol.packets.iter().flat_map(|packet| &packet.fields);
    let counts = (protocol.packets.len(), fields().count(), protocol.aliases.len(), protocol.variant_count());
    assert_eq!(counts, (187, 1168, 128, 194));
    assert_eq!(fields().filter(|field| field.key).count(), 27);
    assert_eq!(fields().filter(|field| field.diff.is_some()).count(), 5);
    let folded = protocol
        .packets
        .iter()
        .map(|packet| packet.fields.iter().filter(|field| packet.is_folded(field)).count());
    assert_eq!(folded.sum::<usize>(), 145);
    let widest = protocol.packets.iter().flat_map(|packet| packet.variants());
    assert_eq!(widest.map(|variant| variant.bits().count()).max(), Some(114));
}
