//! Passes datagrams to a follower, and measures time and memory.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant as Clock};

use allocation_counter::measure;
use gamewire::machine::record::NodeKind;
use gamewire::machine::{ConversationSide, Follow, Instant, Record};
use gamewire::teeworlds::Follower;
use gamewire::wire::{Layer, Value};

use super::build;

/// Maximum average time of a datagram. It is far above the millisecond of a fast build on an idle host, and far below a
/// hang.
const TIME: Duration = Duration::from_millis(5);
/// Maximum memory of a follower, and of the work on one datagram.
pub(crate) const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// The report of one datagram.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told {
    pub(crate) messages: Vec<String>,
    pub(crate) warnings: Vec<String>,
    pub(crate) errors: Vec<String>,
}

impl Told {
    /// Returns the only error. Panics if there is none.
    pub(crate) fn error(&self) -> &str {
        assert_eq!(self.errors.len(), 1, "{self:?}");
        &self.errors[0]
    }
}

/// Follows one datagram.
pub(crate) fn show(follower: &mut Follower, from: ConversationSide, datagram: &[u8]) -> Told {
    let mut record = Record::new();
    follower.follow(Instant::from_micros(0), from, datagram, &mut record);
    let mut reported = Told::default();
    for node in record.nodes() {
        match (node.kind(), node.value()) {
            (NodeKind::Group(Layer::Message), _) => reported.messages.push(node.name().to_owned()),
            (NodeKind::Warning(_), _) => reported.warnings.push(node.name().to_owned()),
            (NodeKind::Error, Some(Value::Text(text))) => {
                reported.errors.push(String::from_utf8(text.to_vec()).unwrap());
            }
            _ => {}
        }
    }
    reported
}

/// Returns the follower's counter `name`.
pub(crate) fn counter(follower: &Follower, name: &str) -> u64 {
    let mut found = None;
    follower.counters(|counted, count| {
        if counted == name {
            found = Some(count);
        }
    });
    found.unwrap()
}

/// Returns a follower of a 0.6 conversation without tokens, after the handshake.
pub(crate) fn connected_06() -> Follower {
    let mut follower = Follower::default();
    show(&mut follower, ConversationSide::First, &build::control(&[1]));
    show(&mut follower, ConversationSide::Second, &build::control(&[2]));
    show(&mut follower, ConversationSide::First, &build::control(&[3]));
    assert_eq!((follower.dialect(), follower.client()), (Some("tw-0.6"), Some(ConversationSide::First)));
    follower
}

/// Returns a follower of a 0.6 conversation with DDNet's tokens; the token is `abcd`.
pub(crate) fn connected_tken() -> Follower {
    let mut follower = Follower::default();
    show(&mut follower, ConversationSide::First, &build::control(b"\x01TKEN\xff\xff\xff\xff"));
    show(&mut follower, ConversationSide::Second, &build::control(b"\x02TKENabcd"));
    show(&mut follower, ConversationSide::First, &build::control(b"\x03abcd"));
    assert_eq!((follower.dialect(), follower.client()), (Some("tw-0.6-tken"), Some(ConversationSide::First)));
    follower
}

/// Returns a follower of a 0.7 conversation after the handshake; both tokens are [`build::TOKEN`].
pub(crate) fn connected_07() -> Follower {
    let mut follower = Follower::default();
    let token = build::TOKEN.to_be_bytes();
    let asks = [&[4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5], token.as_slice(), &[0; 508]].concat();
    let gives = [&[4, 0, 0], token.as_slice(), &[5], &token].concat();
    let connect = [&[4, 0, 0], token.as_slice(), &[1], &token, &[0; 508]].concat();
    let accept = [&[4, 0, 0], token.as_slice(), &[2]].concat();
    for (from, datagram) in [
        (ConversationSide::First, asks),
        (ConversationSide::Second, gives),
        (ConversationSide::First, connect),
        (ConversationSide::Second, accept),
    ] {
        assert_eq!(show(&mut follower, from, &datagram).errors, [""; 0]);
    }
    assert_eq!((follower.dialect(), follower.client()), (Some("tw-0.7"), Some(ConversationSide::First)));
    follower
}

/// Follows `attack` from the server: once for the report, then repeatedly to check that time and memory stay within the
/// limits.
pub(crate) fn survive(start: fn() -> Follower, attack: &[Vec<u8>]) -> Vec<Told> {
    let mut follower = start();
    let reported =
        attack.iter().map(|datagram| show(&mut follower, ConversationSide::Second, datagram)).collect();
    cheap("the attack", 1000_usize.div_ceil(attack.len().max(1)), attack.len(), || {
        let mut follower = start();
        for datagram in attack {
            follower.follow(Instant::from_micros(0), ConversationSide::Second, black_box(datagram), &mut ());
        }
        black_box(&follower);
    });
    reported
}

/// Returns the processor time of this thread, which the load of the machine hardly changes. Where the system has no file
/// with it, returns the time since the first call.
pub(crate) fn processor_time() -> Duration {
    static START: LazyLock<Clock> = LazyLock::new(Clock::now);
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = times.split(' ').next().and_then(|time| time.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Runs `work`, which handles `datagrams` datagrams, `runs` times. Checks the average time and the maximum memory.
pub(crate) fn cheap(name: &str, runs: usize, datagrams: usize, mut work: impl FnMut()) {
    let mut most = 0;
    let start = processor_time();
    for _ in 0..runs {
        most = measure(&mut work).bytes_max.max(most);
    }
    let average = (processor_time() - start) / u32::try_from(runs * datagrams.max(1)).unwrap();
    println!("{name}: {average:?} a datagram, at most {most} bytes");
    assert!(average < TIME, "{name} took {average:?} a datagram");
    assert!(most < MAX_BYTES, "{name} took {most} bytes");
}
