//! A client and a server chat over bad networks. Every line arrives once and in order in both
//! directions, or each side reports one close.

use core::time::Duration;

use crate::support::{DIALECTS, client_config, host, losing, server};
use gamewire_machine::Instant;
use gamewire_sim::{Network, NodeId};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::{self, Client};
use gamewire_teeworlds::model::message::Audience;
use gamewire_teeworlds::server::{self, Server, WalkingGame};

/// Number of lines that each peer sends, one every 100 ms.
const LINES: usize = 30;
const APART: Duration = Duration::from_millis(100);
/// A client of DDNet times out after 100 s.
const PATIENCE: Duration = Duration::from_secs(600);

type Nodes = (NodeId<Server<WalkingGame>>, NodeId<Client>);

/// Returns the numbers of the lines that the server received, and of the lines that the client received.
fn heard(network: &Network, (server, client): Nodes) -> [Vec<usize>; 2] {
    let number = |text: &[u8]| core::str::from_utf8(text).ok()?.strip_prefix("line ")?.parse().ok();
    let at_server = network.events(server).iter().filter_map(|event| match event {
        server::Event::Chat { text, .. } => number(text.as_bytes()),
        _ => None,
    });
    let at_client = network.events(client).iter().filter_map(|event| match event {
        client::Event::Chat { from: None, text, .. } => number(text.as_bytes()),
        _ => None,
    });
    [at_server.collect(), at_client.collect()]
}

fn is_over(network: &Network, client: NodeId<Client>) -> bool {
    network.machine(client).state() == "closed"
}

/// Returns whether all lines arrived, and a checksum of all datagrams.
fn run(number: u64, dialect: Dialect, loss: f64) -> (bool, u64) {
    let state = format!("seed {number}, {dialect:?}, loss {loss}");
    let mut network = Network::new(number);
    let server = network.add(host(1), server(number, Instant::ZERO));
    let config = client_config(number, dialect);
    let client = network.add(host(2), Client::connect(host(1), config, Instant::ZERO));
    network.set_conditions(client, losing(loss), losing(loss));
    let nodes = (server, client);
    let is_in = |network: &Network| {
        is_over(network, client)
            || network.events(server).iter().any(|event| matches!(event, server::Event::Entered { .. }))
                && network.machine(client).state() == "playing"
    };
    assert!(network.run_until(PATIENCE, is_in).unwrap(), "{state}: neither in nor over");
    for line in 0..LINES {
        let text = format!("line {line}");
        network.machine_mut(server).say(&text);
        // Closed connections send nothing.
        let _ = network.machine_mut(client).say(Audience::All, &text);
        network.run_for(APART).unwrap();
    }
    let is_done = |network: &Network| {
        is_over(network, client)
            || network.machine(server).client_count() == 0
            || heard(network, nodes).iter().all(|lines| lines.len() == LINES)
    };
    assert!(network.run_until(PATIENCE, is_done).unwrap(), "{state}: neither done nor over");
    network.machine_mut(client).disconnect("bye");
    let all_over =
        |network: &Network| is_over(network, client) && network.machine(server).client_count() == 0;
    assert!(network.run_until(PATIENCE, all_over).unwrap(), "{state}: it never ends");
    // A late copy of the handshake may occupy a slot again for a while.
    network.run_for(Duration::from_secs(30)).unwrap();
    assert_eq!(network.machine(server).client_count(), 0, "{state}");
    let lines = heard(&network, nodes);
    for lines in &lines {
        assert!(lines.iter().copied().eq(0..lines.len()), "{state}: {lines:?}");
    }
    assert_eq!(network.machine(client).stats().undecodable, 0, "{state}");
    let closed = |event: &client::Event| matches!(event, client::Event::Closed(_));
    assert_eq!(network.events(client).iter().filter(|event| closed(event)).count(), 1, "{state}");
    assert!(network.events(client).last().is_some_and(closed), "{state}");
    let count =
        |which: fn(&server::Event) -> bool| network.events(server).iter().filter(|e| which(e)).count();
    let connected = count(|event| matches!(event, server::Event::Connected { .. }));
    assert_eq!(connected, count(|event| matches!(event, server::Event::Closed { .. })), "{state}");
    (lines.iter().all(|lines| lines.len() == LINES), network.digest())
}

fn survive(seeds: u64, loss: f64) -> u64 {
    let mut completed = 0;
    for number in 0..seeds {
        let dialect = DIALECTS[(number % 4) as usize];
        let first = run(number, dialect, loss);
        assert_eq!(first, run(number, dialect, loss), "seed {number} gave other bytes the second time");
        completed += u64::from(first.0);
    }
    println!("loss {loss}: {completed} of {seeds} complete, {} ended early", seeds - completed);
    completed
}

#[test]
fn g10_a_client_and_a_server_chat_without_loss() {
    assert_eq!(survive(1_000, 0.0), 1_000);
}

#[test]
fn g10_a_client_and_a_server_chat_with_5_percent_loss() {
    assert!(survive(1_000, 0.05) >= 990);
}

#[test]
fn g10_a_client_and_a_server_chat_with_20_percent_loss() {
    assert!(survive(1_000, 0.2) >= 900);
}

#[test]
fn g10_a_client_and_a_server_chat_with_50_percent_loss_or_end_cleanly() {
    assert!(survive(1_000, 0.5) > 100);
}
