//! Streams that are split at any byte, stall or break must end in the same world or in a clean close.

use core::num::NonZeroUsize;
use core::time::Duration;
use std::collections::BTreeMap;

use gamewire_freeciv::frame::CompressionLevel;
use gamewire_freeciv::session::client::Event;
use gamewire_freeciv::session::server::Event as ServerEvent;
use gamewire_machine::ConversationSide;
use gamewire_sim::StreamConditions;

use super::support::{Table, call, client, end, finish, run, seconds, server, show_world, table, text};

const SEEDS: u64 = 200;

/// The packets that a client received.
#[derive(Debug, Default, PartialEq)]
struct World {
    tiles: BTreeMap<i64, i64>,
    years: Vec<i64>,
    lines: Vec<String>,
}

impl World {
    fn see(&mut self, events: &[Event]) {
        for event in events {
            let Event::Packet(packet) = event else { continue };
            match packet.name() {
                "PACKET_TILE_INFO" => drop(self.tiles.insert(packet.int("tile"), packet.int("owner"))),
                "PACKET_NEW_YEAR" => self.years.push(packet.int("year32")),
                "PACKET_CHAT_MSG" => self.lines.push(packet.text("message")),
                _ => {}
            }
        }
    }
}

fn conditions(seed: u64) -> StreamConditions {
    StreamConditions {
        delay: Duration::from_millis(seed % 40),
        jitter: Duration::from_millis(seed % 7),
        max_segment: NonZeroUsize::new([1, 2, 3, 7, 100, 1_460, 65_536][seed as usize % 7]).unwrap(),
    }
}

/// Joins, receives the world, and sends chat lines. The server echoes all lines except the last.
fn play(table: &mut Table, seed: u64, disturb: impl Fn(&mut Table, u64)) -> (World, Vec<Event>) {
    let mut config = client("alice");
    config.compression = (seed & 1 != 0).then_some(CompressionLevel::DEFAULT);
    call(table, config);
    let (mut world, mut events) = (World::default(), Vec::new());
    for round in 0..12 {
        disturb(table, round);
        run(table, Duration::from_millis(500), |server, event| match event {
            ServerEvent::Packet { client, packet, .. } => {
                let line = [("message", text(&packet.text("message")))];
                let _ = server.send_fields(client, "PACKET_CHAT_MSG", &line);
                let _ = server.finish_request(client);
            }
            event => show_world(server, event),
        });
        let new = table.take_events(0);
        world.see(&new);
        events.extend(new);
        // This fails if the client has not joined yet or is closed.
        let _ = table.caller_mut(0).unwrap().chat(&format!("line {round}"));
    }
    run(table, seconds(30), finish);
    let new = table.take_events(0);
    world.see(&new);
    events.extend(new);
    (world, events)
}

#[test]
fn cut_and_stalled_streams_give_the_same_world() {
    let whole = |seed| {
        let mut table = table(server(), StreamConditions::PERFECT, seed);
        play(&mut table, seed, |_, _| {}).0
    };
    let expected = [whole(0), whole(1)];
    assert_eq!((expected[0].tiles.len(), expected[0].lines.len()), (500, 11));
    for seed in 0..SEEDS {
        let mut table = table(server(), conditions(seed), seed);
        let (world, events) = play(&mut table, seed, |table, round| {
            if (seed + round) % 5 == 0 {
                let from = if seed % 2 == 0 { ConversationSide::First } else { ConversationSide::Second };
                table.stall(0, from, Duration::from_millis(seed * 13 % 3_000));
            }
        });
        assert_eq!(end(&events), None, "seed {seed}");
        assert_eq!(world.tiles, expected[0].tiles, "seed {seed}");
        assert_eq!(world.years, expected[0].years, "seed {seed}");
        // Lines before the join reply fail. All other lines are echoed in order.
        let expected_lines: Vec<&String> =
            expected[0].lines.iter().filter(|line| world.lines.contains(line)).collect();
        assert_eq!(world.lines.iter().collect::<Vec<_>>(), expected_lines, "seed {seed}");
    }
}

#[test]
fn broken_streams_close_both_sides_cleanly() {
    for seed in 0..SEEDS {
        let mut table = table(server(), conditions(seed), seed);
        let (world, events) = play(&mut table, seed, |table, round| {
            if round == seed % 12 {
                table.reset(0);
            }
        });
        assert!(end(&events).is_some(), "seed {seed}");
        assert!(world.tiles.iter().all(|(tile, owner)| tile % 7 == *owner), "seed {seed}");
        assert!(table.host().clients().is_empty(), "seed {seed}");
        assert_eq!(table.client(0).unwrap().phase(), None, "seed {seed}");
    }
}
