//! A load, its contenders, and the printed result.

use crate::contender::Contender;
use crate::rounds::{Entrant, rates};
use crate::spread::Spread;

/// Messages between two clock readings.
const MESSAGES_A_READING: usize = 200;

/// Number of clients of a server, and of messages per frame in each direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) clients: usize,
    pub(crate) messages: usize,
}

/// A contender, with the minimum speed ratio of gamewire to it if there is a limit.
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    pub(crate) contender: Box<dyn Contender>,
    pub(crate) limit: Option<f64>,
}

impl Rival {
    /// Returns the contender to which the others are compared.
    pub(crate) fn ours(contender: impl Contender + 'static) -> Self {
        Self { name: "gamewire", contender: Box::new(contender), limit: None }
    }

    /// Returns a contender. gamewire must be at least `limit` times as fast.
    pub(crate) fn new(name: &'static str, contender: impl Contender + 'static, limit: f64) -> Self {
        Self { name, contender: Box::new(contender), limit: Some(limit) }
    }
}

/// Runs a load with each contender in turn, and prints the messages received per second. Returns whether gamewire, the
/// first contender, meets the limits.
pub(crate) fn hold(place: &str, load: Load, rivals: Vec<Rival>) -> bool {
    let Load { clients, messages } = load;
    println!("{place}, clients x messages a frame: {clients} x {messages}");
    let frames = MESSAGES_A_READING.div_ceil(2 * clients * messages);
    let (mut entrants, limits): (Vec<Entrant>, Vec<Option<f64>>) = rivals
        .into_iter()
        .map(|Rival { name, contender, limit }| (Entrant { name, contender, frames }, limit))
        .unzip();
    let rates = rates(&mut entrants, messages);
    let mut is_held = true;
    for ((entrant, limit), row) in entrants.iter().zip(limits).zip(&rates) {
        let rate = Spread::of(row.iter().map(|rate| rate / 1e3));
        let ratio = Spread::of_ratios(&rates[0], row);
        print!(
            "  {:<28} {:>8.0} thousand/s ({:.0} to {:.0})",
            entrant.name, rate.median, rate.low, rate.high
        );
        if let Some(limit) = limit {
            let verdict = if ratio.median >= limit { "held" } else { "MISSED" };
            is_held &= ratio.median >= limit;
            print!(
                "; ours is {:.2} times it ({:.2} to {:.2}), at least {limit}: {verdict}",
                ratio.median, ratio.low, ratio.high
            );
        }
        println!();
    }
    is_held
}
