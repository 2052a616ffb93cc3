//! A load, who carries it, and what is printed of it.

use crate::contender::Contender;
use crate::rounds::{Entrant, rates};
use crate::spread::Spread;

/// After about so many messages the clock is read.
const MESSAGES_A_READING: usize = 200;

/// So many clients and one server, and so many messages in each direction in each frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) clients: usize,
    pub(crate) messages: usize,
}

/// Somebody, and how many times as fast ours must be, if that is said.
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    pub(crate) contender: Box<dyn Contender>,
    pub(crate) limit: Option<f64>,
}

impl Rival {
    /// The one that the others are compared with.
    pub(crate) fn ours(contender: impl Contender + 'static) -> Self {
        Self { name: "gamewire", contender: Box::new(contender), limit: None }
    }

    /// Somebody whom ours must be `limit` times as fast as.
    pub(crate) fn new(name: &'static str, contender: impl Contender + 'static, limit: f64) -> Self {
        Self { name, contender: Box::new(contender), limit: Some(limit) }
    }
}

/// Carries a load with each rival in turn, and prints how many messages a second arrived. Says
/// whether ours, who is named first, is fast enough.
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
