use gamewire_machine::Role;
use std::collections::BTreeMap;

use super::count::{ProblemCount, add};
use super::totals::{ConversationTotals, DialectTotals, FlowTotals};
use crate::conversation::PacketInfo;

impl ConversationTotals {
    pub(super) fn new(sighting: &PacketInfo) -> Self {
        let PacketInfo { conversation: number, protocol, dialect, from, to, time, .. } = *sighting;
        Self {
            number,
            protocol,
            dialect,
            client: from,
            server: to,
            first: time,
            last: time,
            from_client: FlowTotals::default(),
            from_server: FlowTotals::default(),
            errors: 0,
            warnings: 0,
            counters: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, sighting: &PacketInfo, flow: FlowTotals, problems: ProblemCount) {
        let PacketInfo { dialect, sender, from, to, time, .. } = *sighting;
        self.dialect = dialect.or(self.dialect);
        self.last = self.last.max(time);
        let (client, server) = if sender == Role::Client { (from, to) } else { (to, from) };
        if (self.client, self.server) != (client, server) {
            // Who is the client has turned out otherwise than it looked at first.
            (self.client, self.server) = (client, server);
            std::mem::swap(&mut self.from_client, &mut self.from_server);
        }
        match sender {
            Role::Client => self.from_client.add(flow),
            Role::Server => self.from_server.add(flow),
        }
        add(&mut self.errors, problems.errors);
        add(&mut self.warnings, problems.warnings);
    }
}

impl FlowTotals {
    pub(super) fn add(&mut self, other: Self) {
        add(&mut self.datagrams, other.datagrams);
        add(&mut self.bytes, other.bytes);
        add(&mut self.messages, other.messages);
        add(&mut self.in_groups, other.in_groups);
    }
}

impl DialectTotals {
    pub(super) fn add(&mut self, flow: FlowTotals, problems: ProblemCount) {
        add(&mut self.datagrams, flow.datagrams);
        add(&mut self.bytes, flow.bytes);
        add(&mut self.messages, flow.messages);
        add(&mut self.in_groups, flow.in_groups);
        add(&mut self.errors, problems.errors);
        add(&mut self.warnings, problems.warnings);
    }
}
