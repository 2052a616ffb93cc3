//! Agents on a gamewire server, in a simulated network.

mod descriptions;
mod entry;
mod replies;

use gamewire_freeciv::agent::{Agent, AgentConfig, Command, CommandId, Event, Reply};
use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_sim::StreamConditions;

use crate::play::support::{Table, run, table_of};

/// Connects an agent, and returns its events up to its entry.
fn entered() -> (Table<Agent>, usize, Vec<Event>) {
    entered_by(AgentConfig { client: ClientConfig::new("alice"), starts: false, takes: None }, 1)
}

/// Connects an agent with a configuration, and returns its events up to its entry.
fn entered_by(config: AgentConfig, seed: u64) -> (Table<Agent>, usize, Vec<Event>) {
    let mut table = table_of(ProtocolVersion::default(), StreamConditions::PERFECT, seed);
    let now = table.now();
    let alice = table.connect(Agent::new(config, now).unwrap());
    run(&mut table, 1);
    let events = table.take_events(alice);
    (table, alice, events)
}

fn execute(table: &mut Table<Agent>, alice: usize, line: &str) -> CommandId {
    let command: Command = serde_json::from_str(line).unwrap();
    table.caller_mut(alice).unwrap().execute(&command).unwrap()
}

/// Returns the replies among events, in their order.
fn replies(events: &[Event]) -> Vec<(CommandId, &Reply)> {
    let replies = events.iter().filter_map(|event| match event {
        Event::Reply { command, reply } => Some((*command, reply)),
        _ => None,
    });
    replies.collect()
}
