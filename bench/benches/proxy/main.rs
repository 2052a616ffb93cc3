//! A transparent proxy that decodes and records traffic, compared with a loop that only forwards.
//!
//!     cargo bench -p gamewire-bench --bench proxy [-- throughput | latency | crowd | others]
//!
//! A client, the proxy and an echo server run on loopback, each on a separate thread. The datagrams are from a
//! recorded Teeworlds game.

#![allow(clippy::arithmetic_side_effects, reason = "a bench that overflows fails")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot run ends")]
#![allow(clippy::cast_sign_loss, reason = "shares are above zero")]

mod crowd;
mod forward;
mod latency;
mod others;
mod setup;
mod throughput;

fn main() {
    let only = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    let is_chosen = |name| only.as_deref().is_none_or(|only| only == name);
    if is_chosen("throughput") {
        println!("throughput: datagrams a second, there and back, with 64 in flight");
        throughput::measure();
    }
    if is_chosen("latency") {
        println!("latency: added by the proxy at 2,000 datagrams a second, in each direction");
        latency::measure();
    }
    if is_chosen("others") {
        println!("others: datagrams a second through other proxies, which know no game");
        others::measure();
    }
    if is_chosen("crowd") {
        println!("crowd: memory of the process with 1,256 conversations and seven million datagrams");
        crowd::measure();
    }
}
