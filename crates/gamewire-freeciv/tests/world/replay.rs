//! Applies recorded streams to worlds.

use std::path::Path;
use std::{fs, str};

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::delta::{DeltaLimits, Direction};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_freeciv::packets::{Decoder, Packet};
use gamewire_freeciv::world::World;

pub(crate) const ALL: [&str; 4] = ["year32", "plrculture32", "pingfix", "cityculture32"];

/// Returns the bytes of a stream in the order in which they arrived at the socket.
pub(crate) fn stream(name: &str) -> Vec<u8> {
    let streams = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/freeciv/streams");
    fs::read(streams.join(format!("{name}.bin"))).unwrap()
}

/// Applies a stream to a world, and calls `look` after each packet.
pub(crate) fn replay(name: &str, capabilities: &[&str], look: impl FnMut(&Packet<'_>, &mut World)) -> World {
    replay_of(ProtocolVersion::V3_0, name, capabilities, look)
}

/// Applies one recorded stream of each version to a world.
pub(crate) fn replay_each_version() -> [(ProtocolVersion, World); 3] {
    let names: [(&str, &[&str]); 3] = [
        ("game", &ALL),
        ("game-3.1", &["city-original", "rsdesc32", "ids32"]),
        ("game-3.2", &["tu32", "hap2clnt"]),
    ];
    let mut streams = ProtocolVersion::ALL.into_iter().zip(names);
    core::array::from_fn(|_| {
        let (version, (name, capabilities)) = streams.next().unwrap();
        (version, replay_of(version, name, capabilities, |_, _| {}))
    })
}

fn replay_of(
    version: ProtocolVersion,
    name: &str,
    capabilities: &[&str],
    mut look: impl FnMut(&Packet<'_>, &mut World),
) -> World {
    let bytes = stream(name);
    let mut world = World::new();
    let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
    let mut decoder = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT).version(version);
    let mut data = bytes.as_slice();
    while let Some(framed) = splitter.next(&mut data).unwrap() {
        let role = role(&world);
        let packet = decoder.decode(framed.number, framed.body).unwrap();
        world.apply(&packet);
        look(&packet, &mut world);
        let is_reply = matches!(packet, Packet::ServerJoinReply(_));
        if is_reply {
            decoder.set_capabilities(capabilities);
        }
        if role != self::role(&world) {
            decoder.forget_game_info();
        }
    }
    world
}

fn role(world: &World) -> (Option<u16>, bool) {
    (world.my_number(), world.is_observer())
}
