//! Two ends of a connection over bad networks, a thousand seeds for each: every vital message
//! arrives exactly once and in order, or the connection closes and each side reports it once.

use core::time::Duration;

use crate::support::thin::{Event, Thin, patient};
use crate::support::{DIALECTS, every_dialect_with, host, losing, seed};
use gamewire_machine::Instant;
use gamewire_sim::{Conditions, Network, NodeId};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::{CloseReason, LinkConfig};

/// Number of vital messages that each peer sends.
const MESSAGES: u32 = 40;
/// Number of messages per burst, and time between bursts.
const AT_ONCE: u32 = 3;
const APART: Duration = Duration::from_millis(120);
/// Time after which every connection is closed, because each end times out after 10 s of silence, or
/// when a message is not acknowledged for 10 s.
const PATIENCE: Duration = Duration::from_secs(600);

/// Returns message `number`. It has 5 to 124 bytes. Its length and its last bytes follow from the number.
fn message(number: u32) -> Vec<u8> {
    let mut message = number.to_le_bytes().to_vec();
    let length = 1 + number.wrapping_mul(2_654_435_761) as usize % 120;
    message.extend((0..length).map(|at| (at as u32 ^ number) as u8));
    message
}

/// The events of one peer.
#[derive(Default)]
struct End {
    opened: usize,
    /// The numbers of the messages that arrived undamaged, in order.
    heard: Vec<u32>,
    /// Messages that were damaged in transit.
    damaged: usize,
    closed: Vec<CloseReason>,
    /// Events after the connection is closed.
    late: usize,
}

impl End {
    fn of(events: &[Event]) -> Self {
        let mut end = Self::default();
        for event in events {
            end.late += usize::from(!end.closed.is_empty());
            match event {
                Event::Opened(_) => end.opened += 1,
                Event::Heard { content, .. } => match content.first_chunk() {
                    Some(number) if message(u32::from_le_bytes(*number)) == *content => {
                        end.heard.push(u32::from_le_bytes(*number));
                    }
                    _ => end.damaged += 1,
                },
                Event::Closed(reason) => end.closed.push(reason.clone()),
            }
        }
        end
    }

    fn has_all(&self) -> bool {
        self.heard.len() + self.damaged >= MESSAGES as usize
    }
}

/// The result of one seed.
struct Run {
    ends: [End; 2],
    digest: u64,
    datagrams: u64,
}

fn heard(network: &Network, node: NodeId<Thin>) -> usize {
    network.events(node).iter().filter(|event| matches!(event, Event::Heard { .. })).count()
}

fn is_over(network: &Network, node: NodeId<Thin>) -> bool {
    network.events(node).iter().any(|event| matches!(event, Event::Closed(_)))
}

/// A network, and the connections over it.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    conditions: Conditions,
    /// Maximum bytes of a packet; `None` for the limit of the games.
    max_payload: Option<usize>,
    /// Every message that arrives must be the next one. This is off if the network damages datagrams: damage can change
    /// a sequence number, and these protocols do not detect it.
    is_exact: bool,
}

impl Case {
    fn losing(name: &'static str, loss: f64) -> Self {
        Self { name, conditions: losing(loss), max_payload: None, is_exact: true }
    }

    fn link(&self, dialect: Dialect) -> LinkConfig {
        let config = patient(dialect);
        LinkConfig { max_payload: self.max_payload.unwrap_or(config.max_payload), ..config }
    }
}

fn run(number: u64, case: &Case) -> Run {
    let dialect = dialect_of(number);
    let mut network = Network::new(number);
    let gate = every_dialect_with(|dialect| case.link(dialect));
    let listener = network.add(host(1), Thin::listener(gate, seed(number), Instant::ZERO));
    let caller = Thin::caller(dialect, case.link(dialect), host(1), seed(!number), Instant::ZERO);
    let caller = network.add(host(2), caller);
    network.set_conditions(caller, case.conditions, case.conditions);
    let ends = [caller, listener];
    let mut said = [0; 2];
    while network.now().since(Instant::ZERO) < PATIENCE {
        network.run_for(APART).unwrap();
        // As in the games, the client sends first.
        let speakers = if heard(&network, listener) == 0 { 1 } else { 2 };
        for (node, said) in ends.into_iter().zip(&mut said).take(speakers) {
            for _ in 0..AT_ONCE.min(MESSAGES - *said) {
                if network.machine_mut(node).say(true, &message(*said)).is_ok() {
                    *said += 1;
                }
            }
        }
        if ends.iter().any(|node| is_over(&network, *node))
            || ends.iter().all(|node| heard(&network, *node) >= MESSAGES as usize)
        {
            break;
        }
    }
    // The other peer closes as well: because of the CLOSE, or by its timeout if the CLOSE is lost.
    network.machine_mut(caller).close();
    let all_over = |network: &Network| {
        is_over(network, caller) && (network.machine(listener).link().is_none() || is_over(network, listener))
    };
    assert!(network.run_until(PATIENCE, all_over).unwrap(), "seed {number}: a connection never ends");
    // Packets in flight are ignored after the close.
    network.run_for(Duration::from_secs(30)).unwrap();
    Run {
        ends: ends.map(|node| End::of(network.events(node))),
        digest: network.digest(),
        datagrams: network.sent(),
    }
}

fn dialect_of(number: u64) -> Dialect {
    DIALECTS[(number % 4) as usize]
}

/// The results of all seeds.
#[derive(Debug, Default)]
struct Totals {
    completed: u64,
    timed_out: u64,
    /// Runs that timed out before both peers had a connection.
    never_met: u64,
    damaged: usize,
    datagrams: u64,
    completed_by_dialect: [u64; 4],
}

/// Runs each of `seeds` seeds twice.
fn survive(seeds: u64, case: Case) -> Totals {
    let Case { name, is_exact, .. } = case;
    let mut totals = Totals::default();
    for number in 0..seeds {
        let run = run(number, &case);
        let again = self::run(number, &case);
        let dialect = dialect_of(number);
        assert_eq!(run.digest, again.digest, "{name}: seed {number} gave other bytes the second time");
        let [caller, listener] = &run.ends;
        for (who, end) in [("caller", caller), ("listener", listener)] {
            let state = format!("{name}: seed {number}, {dialect:?}, {who}");
            assert_eq!(end.closed.len(), usize::from(who == "caller" || end.opened > 0), "{state}");
            assert!(end.opened <= 1 && end.late == 0, "{state}: {} opened, {} late", end.opened, end.late);
            if is_exact {
                let all: Vec<u32> = (0..end.heard.len() as u32).collect();
                assert_eq!(end.heard, all, "{state}");
                assert_eq!(end.damaged, 0, "{state}");
            }
            totals.damaged += end.damaged;
        }
        totals.datagrams += run.datagrams;
        if caller.has_all() && listener.has_all() {
            totals.completed += 1;
            totals.completed_by_dialect[(number % 4) as usize] += 1;
        } else {
            // Messages may only be missing if the connection closed by a timeout.
            let gave_up = |end: &End| {
                matches!(
                    end.closed.first(),
                    Some(CloseReason::Timeout | CloseReason::TooWeak { .. } | CloseReason::UnableToConnect)
                )
            };
            let is_clean = !is_exact || gave_up(caller) || gave_up(listener);
            assert!(
                is_clean,
                "{name}: seed {number}, {dialect:?}: {:?} {:?}",
                caller.closed, listener.closed
            );
            totals.timed_out += 1;
            totals.never_met += u64::from(caller.opened == 0 || listener.opened == 0);
        }
    }
    println!("{name}: {seeds} seeds, {totals:?}");
    assert_eq!(totals.completed + totals.timed_out, seeds);
    totals
}

#[test]
fn g10_without_loss_every_seed_delivers_every_message() {
    let totals = survive(1_000, Case::losing("no loss", 0.0));
    assert_eq!(totals.timed_out, 0);
}

#[test]
fn g10_with_5_percent_loss_every_message_arrives_once_and_in_order() {
    let totals = survive(1_000, Case::losing("5 % loss", 0.05));
    assert!(totals.completed > 990 && totals.completed_by_dialect.iter().all(|count| *count > 240));
}

#[test]
fn g10_with_20_percent_loss_every_message_arrives_once_and_in_order() {
    let totals = survive(1_000, Case::losing("20 % loss", 0.2));
    assert!(totals.completed > 900 && totals.completed_by_dialect.iter().all(|count| *count > 200));
}

#[test]
fn g10_with_50_percent_loss_messages_arrive_once_and_in_order_or_the_connection_ends_cleanly() {
    let totals = survive(1_000, Case::losing("50 % loss", 0.5));
    assert!(totals.completed > 100 && totals.completed_by_dialect.iter().all(|count| *count > 10));
}

/// A network that loses longer datagrams. Its MTU is 576 bytes with the headers of IPv4 and UDP.
const NARROW: Conditions = Conditions { mtu: 576 - 28, ..Conditions::PERFECT };

#[test]
fn g10_packets_made_for_576_bytes_pass_where_longer_ones_are_lost() {
    let conditions = Conditions { mtu: NARROW.mtu, ..losing(0.05) };
    let case = Case { name: "MTU 576", conditions, max_payload: Some(530), is_exact: true };
    let totals = survive(200, case);
    assert!(totals.completed > 190);
}

/// Unacknowledged messages are resent together in one packet, so the games' own packets may never get through.
#[test]
fn g10_the_games_own_packets_arrive_or_time_out_where_long_ones_are_lost() {
    let conditions = Conditions { mtu: NARROW.mtu, ..losing(0.05) };
    let case = Case { name: "MTU 576, the games' packets", conditions, max_payload: None, is_exact: true };
    let totals = survive(200, case);
    assert!(totals.completed > 20);
}

#[test]
fn g10_damaged_datagrams_lead_to_a_clean_close() {
    let conditions = Conditions { corrupt: 0.01, mtu: NARROW.mtu, ..losing(0.05) };
    let case = Case { name: "1 % damaged, MTU 576", conditions, max_payload: Some(530), is_exact: false };
    let totals = survive(400, case);
    assert!(totals.completed > 300 && totals.damaged > 0);
}
