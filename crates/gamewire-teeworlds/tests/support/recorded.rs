//! Valid sequences: sessions between our two roles, and recorded games.

use core::time::Duration;

use gamewire_machine::Instant;
use gamewire_teeworlds::client::{Client, MapPolicy};

use super::capture::{self, CAPTURES};
use super::relay::{Said, record};
use super::sequence::Role;
use super::step::{Sequence, Step};
use super::{DIALECTS, client_config, host, server};

/// A command for the client: its time in milliseconds, its number and its argument.
type Told = (u64, u8, u8);

/// The recorded sessions: the name, whether the map is downloaded, the duration in milliseconds, and the commands. The
/// first snapshot arrives after 200 ms.
const SESSIONS: [(&str, bool, u64, &[Told]); 4] = [
    ("plays", false, 600, &[(300, 13, 1), (400, 13, 255)]),
    ("downloads", true, 300, &[(5, 0, 0)]),
    ("talks", false, 420, &[(300, 2, 0), (310, 6, 3), (320, 10, 0), (340, 11, 0), (350, 4, 1), (360, 7, 0)]),
    ("leaves", false, 420, &[(300, 8, 255), (320, 5, 0), (340, 8, 0), (400, 14, 0)]),
];

/// The sequences for a client and the sequences for a server, with their names.
pub struct Recorded {
    pub for_client: Vec<(String, Sequence)>,
    pub for_server: Vec<(String, Sequence)>,
}

pub fn all() -> Recorded {
    let mut all = Recorded { for_client: Vec::new(), for_server: Vec::new() };
    for (number, dialect) in (0_u8..).zip(DIALECTS) {
        for (what, is_download, millis, reported) in SESSIONS {
            let start = number | if is_download { 4 } else { 0 };
            let said = session(number, is_download, millis, reported);
            let name = format!("{}-{what}", dialect.name());
            let for_client = steps(&said, true, reported);
            all.for_client.push((name.clone(), Sequence { start, steps: for_client }));
            all.for_server.push((name, Sequence { start: number, steps: steps(&said, false, &[]) }));
        }
    }
    for name in CAPTURES {
        let start = DIALECTS.iter().position(|dialect| *dialect == capture::dialect_of(name)).unwrap() as u8;
        for (of_servers, to) in [(true, &mut all.for_client), (false, &mut all.for_server)] {
            let mut steps = vec![Step::Talk(5)];
            for (vital, content) in capture::messages(name, of_servers, 60) {
                steps.push(Step::Say { vital, content });
                // Snapshots and inputs are spread over time.
                if !vital {
                    steps.push(Step::Talk(10));
                }
            }
            to.push((name.to_owned(), Sequence { start, steps }));
        }
    }
    all
}

fn session(number: u8, is_download: bool, millis: u64, reported: &[Told]) -> Vec<Said> {
    let dialect = DIALECTS[usize::from(number)];
    let mut config = client_config(1, dialect);
    config.maps = if is_download { MapPolicy::Ask } else { MapPolicy::Assume };
    let connect = |now| Client::connect(host(1), config, now);
    record(dialect, server(1, Instant::ZERO), connect, Duration::from_millis(millis), |at, client| {
        for (_, number, argument) in
            reported.iter().filter(|reported| u128::from(reported.0) == at.as_millis())
        {
            client.command(*number, *argument);
        }
    })
}

/// Returns the messages of one role with the pauses between them, and the commands of the other role.
fn steps(said: &[Said], by_server: bool, reported: &[Told]) -> Vec<Step> {
    let said = said.iter().filter(|said| said.by_server == by_server);
    let mut timed: Vec<(u64, Step)> = said
        .map(|said| {
            let step = Step::Say { vital: said.vital, content: said.content.clone() };
            (said.at.as_millis() as u64, step)
        })
        .collect();
    timed.extend(reported.iter().map(|&(at, number, argument)| (at, Step::Command { number, argument })));
    timed.sort_by_key(|(at, _)| *at);
    let (mut steps, mut now) = (Vec::new(), 0);
    for (at, step) in timed {
        if at > now {
            steps.push(Step::Talk((at - now) as u16));
            now = at;
        }
        steps.push(step);
    }
    steps.push(Step::Talk(20));
    steps
}
