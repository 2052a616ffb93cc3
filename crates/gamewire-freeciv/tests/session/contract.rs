//! Both roles satisfy the contract of machines (`gamewire_sim::contract`).

use super::sequence::{self, Connecting, Serving};
use gamewire_sim::contract;
use gamewire_sim::random::rounds;

/// Number of mutations of operation sequences for each role, in addition to the sequences that `check` runs.
fn changes() -> usize {
    rounds(4_000, 20_000)
}

#[test]
fn a_client_keeps_the_contract() {
    contract::check::<Connecting>();
    sequence::check_mutants::<Connecting>("freeciv_client", changes(), 1);
}

#[cfg(feature = "agent")]
#[test]
fn an_agent_keeps_the_contract() {
    contract::check::<super::subjects::Commanding>();
}

#[test]
fn a_server_keeps_the_contract() {
    contract::check::<Serving<false>>();
    sequence::check_mutants::<Serving<false>>("freeciv_server", changes(), 2);
}

#[test]
fn a_server_whose_application_decides_keeps_the_contract() {
    contract::check::<Serving<true>>();
    sequence::check_mutants::<Serving<true>>("freeciv_server", changes(), 3);
}

#[test]
fn a_client_survives_every_sequence_of_the_corpus() {
    sequence::keep::<Connecting>("freeciv_client");
    sequence::corpus("freeciv_client").iter().for_each(|bytes| sequence::client(bytes, 0));
}

#[test]
fn a_server_survives_every_sequence_of_the_corpus() {
    sequence::keep::<Serving<false>>("freeciv_server");
    sequence::corpus("freeciv_server").iter().for_each(|bytes| sequence::server(bytes, 0));
}
