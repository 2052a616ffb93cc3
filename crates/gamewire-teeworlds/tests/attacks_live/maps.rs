//! T11: a server with a map that differs from its announcement or cannot be downloaded.

use core::time::Duration;

use gamewire_machine::Machine;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::Text;
use gamewire_teeworlds::client::{Client, Event, MapPolicy, MapRefusal};
use gamewire_teeworlds::model::message::{ClientMessage, MapChunkInfo, MapChunking, MapId, ServerMessage};
use gamewire_wire::Writer;

use super::world::{START, events, sent};
use crate::support::relay::exchange;
use crate::support::thin::{self, Thin};
use crate::support::{DIALECTS, client_config, every_dialect, host, seed};

/// The announced map.
const BYTES: [u8; 2_000] = [7; 2_000];

/// A client that downloads its map, and a scripted server.
struct Malice {
    dialect: Dialect,
    client: Client,
    server: Thin,
}

impl Malice {
    fn new(dialect: Dialect) -> Self {
        let mut config = client_config(1, dialect);
        config.maps = MapPolicy::Ask;
        config.max_map_bytes = 1_000_000;
        let client = Client::connect(host(1), config, START);
        let server = Thin::listener(every_dialect(), seed(3), START);
        let mut malice = Self { dialect, client, server };
        malice.exchange();
        assert_eq!(malice.client.state(), "logging in");
        malice
    }

    fn exchange(&mut self) {
        exchange(START, &mut self.client, &mut self.server);
    }

    fn say(&mut self, word: &ServerMessage<'_>) {
        let mut buffer = [0; 1_390];
        let mut to = Writer::new(&mut buffer);
        self.dialect.encode_server_message(word, &mut to).unwrap();
        self.server.say(true, to.written()).unwrap();
        self.exchange();
    }

    /// Announces a map, and lets the client download it.
    fn name(&mut self, name: &str, crc: u32, size: i32, sha256: Option<[u8; 32]>) {
        let map = MapId { name: Text::new(name), crc, size, sha256 };
        if self.dialect == Dialect::Tken && sha256.is_some() {
            self.say(&ServerMessage::MapDetails { map, url: None });
        }
        let map = MapId { sha256: sha256.or(Some([0; 32])), ..map };
        let pieces = Some(MapChunking { per_request: 2, size: 500 });
        self.say(&ServerMessage::MapChange { map, chunking: pieces });
        self.client.download_map().unwrap();
        self.exchange();
    }

    /// Sends the chunk with this number in the dialect's encoding.
    fn piece(&mut self, number: i32, is_last: bool, crc: u32, data: &[u8]) {
        let place = (self.dialect != Dialect::V07).then_some(MapChunkInfo { is_last, crc, piece: number });
        self.say(&ServerMessage::MapData { info: place, data });
    }

    fn whole(&mut self, crc: u32) {
        for number in 0..4 {
            self.piece(number, number == 3, crc, &BYTES[..500]);
        }
    }

    /// Returns the number of requests for map data that the client has sent.
    fn asked(&mut self) -> usize {
        let heard = events(&mut self.server);
        let words = heard.iter().filter_map(|event| match event {
            thin::Event::Heard { content, .. } => self.dialect.decode_client_message(content).ok(),
            _ => None,
        });
        words.filter(|word| matches!(word, ClientMessage::RequestMapData { .. })).count()
    }

    fn refusals(&mut self) -> Vec<MapRefusal> {
        events(&mut self.client)
            .into_iter()
            .filter_map(|event| match event {
                Event::MapRefused(refusal) => Some(refusal),
                _ => None,
            })
            .collect()
    }

    /// Checks that the client can continue without the map.
    fn goes_on(&mut self) {
        self.client.map_ready().unwrap();
        assert_eq!(self.client.state(), "readying");
    }
}

fn sums() -> (u32, [u8; 32]) {
    let map = gamewire_teeworlds::server::Map::new("dm1", BYTES.to_vec());
    (map.crc(), *map.sha256())
}

#[test]
fn t11_a_map_with_the_announced_checksum_is_accepted() {
    let (crc, sha256) = sums();
    for dialect in DIALECTS {
        let mut malice = Malice::new(dialect);
        malice.name("dm1", crc, 2_000, Some(sha256));
        malice.whole(crc);
        let reported = events(&mut malice.client);
        assert!(
            reported.contains(&Event::MapLoaded { bytes: Some(BYTES.to_vec()) }),
            "{dialect:?} {reported:?}"
        );
    }
}

#[test]
fn t11_invalid_sizes_and_names_are_rejected_before_any_request() {
    let (crc, sha256) = sums();
    let long = "m".repeat(300);
    for dialect in DIALECTS {
        let mut malice = Malice::new(dialect);
        for (name, size) in [
            ("dm1", -1),
            ("dm1", 0),
            ("dm1", i32::MIN),
            ("dm1", i32::MAX),
            ("dm1", 1_000_001),
            ("../../etc/passwd", 2_000),
            ("..", 2_000),
            ("/etc/passwd", 2_000),
            ("C:\\autoexec", 2_000),
            ("", 2_000),
            (long.as_str(), 2_000),
        ] {
            malice.name(name, crc, size, Some(sha256));
            assert_eq!(malice.refusals().len(), 1, "{dialect:?} {name} {size}");
            assert_eq!(malice.client.state(), "map refused");
        }
        assert_eq!(malice.asked(), 0, "{dialect:?}");
        malice.goes_on();
    }
}

#[test]
fn t11_a_map_with_a_wrong_checksum_is_rejected() {
    let (crc, sha256) = sums();
    for dialect in DIALECTS {
        let mut malice = Malice::new(dialect);
        malice.name("dm1", crc ^ 1, 2_000, None);
        malice.whole(crc ^ 1);
        let refusals = malice.refusals();
        assert!(matches!(refusals[..], [MapRefusal::Crc { .. }]), "{dialect:?} {refusals:?}");
        // Plain 0.6 and 0.6.5 have no other checksum.
        if matches!(dialect, Dialect::Tken | Dialect::V07) {
            let mut other = sha256;
            other[31] ^= 1;
            malice.name("dm1", crc, 2_000, Some(other));
            malice.whole(crc);
            assert_eq!(malice.refusals(), [MapRefusal::Sha256], "{dialect:?}");
        }
        malice.goes_on();
    }
}

#[test]
fn t11_chunks_with_a_wrong_map_number_or_size_are_not_used() {
    let (crc, sha256) = sums();
    for dialect in DIALECTS {
        let mut malice = Malice::new(dialect);
        malice.name("dm1", crc, 2_000, Some(sha256));
        if dialect != Dialect::V07 {
            for number in [1, -1, i32::MAX, i32::MIN] {
                malice.piece(number, false, crc, &BYTES[..500]);
            }
            malice.piece(0, true, crc ^ 1, &BYTES[..500]);
            assert_eq!(malice.client.stats().stray_map_chunks, 5, "{dialect:?}");
        }
        assert_eq!((malice.refusals().len(), malice.client.state()), (0, "downloading"));
        // An empty chunk, and a chunk that is too long.
        malice.piece(0, false, crc, &[]);
        assert_eq!(malice.refusals().len(), 1, "{dialect:?}");
        malice.name("dm1", crc, 400, Some(sha256));
        malice.piece(0, true, crc, &BYTES[..500]);
        assert_eq!(malice.refusals().len(), 1, "{dialect:?}");
        // The map changes during a download. Later chunks of the old map are ignored.
        malice.name("dm1", crc, 2_000, Some(sha256));
        malice.piece(0, false, crc, &BYTES[..500]);
        malice.name("dm2", crc ^ 2, 2_000, Some(sha256));
        if dialect != Dialect::V07 {
            let stray = malice.client.stats().stray_map_chunks;
            malice.piece(1, false, crc, &BYTES[..500]);
            assert_eq!(malice.client.stats().stray_map_chunks, stray + 1);
        }
        malice.goes_on();
    }
}

#[test]
fn t11_an_announced_size_uses_no_memory() {
    let (crc, sha256) = sums();
    for dialect in DIALECTS {
        let mut malice = Malice::new(dialect);
        let grown = allocation_counter::measure(|| malice.name("dm1", crc, 1_000_000, Some(sha256)));
        assert!(grown.bytes_max < 64 * 1024, "{dialect:?}: {} bytes", grown.bytes_max);
        // A server that sends no chunk does not block the client forever.
        let later = START + Duration::from_secs(101);
        malice.client.handle_timeout(later);
        sent(&mut malice.client, later);
        let reported = events(&mut malice.client);
        assert!(matches!(reported.last(), Some(Event::Closed(_))), "{dialect:?} {reported:?}");
        let reject = malice.client.handle_datagram(later, host(1), &[0; 8]);
        assert!(reject.is_err());
    }
}
