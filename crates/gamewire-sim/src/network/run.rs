use core::time::Duration;

use super::Network;
use super::node::Addresses;
use crate::Livelock;

impl Network {
    /// Runs the network for `time`.
    ///
    /// # Errors
    /// [`Livelock`] if machines keep each other busy while time hardly passes.
    pub fn run_for(&mut self, time: Duration) -> Result<(), Livelock> {
        self.run_until(time, |_| false).map(|_| ())
    }

    /// Lets virtual time pass until `done` returns true, for at most `limit`. Returns whether it did.
    ///
    /// # Errors
    /// [`Livelock`] if machines keep each other busy while time hardly passes.
    pub fn run_until(
        &mut self,
        limit: Duration,
        mut done: impl FnMut(&Self) -> bool,
    ) -> Result<bool, Livelock> {
        let end = self.now + limit;
        loop {
            if done(self) {
                return Ok(true);
            }
            let Some(at) =
                self.nodes.iter().filter_map(|node| node.due(self.now)).min().filter(|at| *at <= end)
            else {
                self.now = end;
                return Ok(done(self));
            };
            self.now = self.now.max(at);
            self.check_livelock()?;
            self.route();
            self.deliver();
            self.pump();
        }
    }

    /// Passes datagrams from the sender's uplink to the receiver's downlink.
    fn route(&mut self) {
        for index in 0..self.nodes.len() {
            while let Some(sent) =
                self.nodes.get_mut(index).and_then(|node| node.up.pop(self.now, &mut self.buffer))
            {
                match self.by_address.get(&sent.to).and_then(|index| self.nodes.get_mut(*index)) {
                    Some(receiver) => _ = receiver.down.push(self.now, sent, &self.buffer),
                    None => self.traffic.unreachable = self.traffic.unreachable.saturating_add(1),
                }
            }
        }
    }

    fn deliver(&mut self) {
        for node in &mut self.nodes {
            while let Some(sent) = node.down.pop(self.now, &mut self.buffer) {
                if sent.to != node.address {
                    self.traffic.unreachable = self.traffic.unreachable.saturating_add(1);
                    continue;
                }
                node.host.receive(self.now, sent.from, &self.buffer);
                node.needs_poll = true;
            }
        }
    }

    fn pump(&mut self) {
        let now = self.now;
        for node in self.nodes.iter_mut().filter(|node| node.is_due(now)) {
            let (from, up) = (node.address, &mut node.up);
            node.wake = node.host.pump(now, &mut self.buffer, &mut |to, datagram| {
                self.traffic.note(now, from, to, datagram);
                up.push(now, Addresses { from, to }, datagram);
            });
            node.needs_poll = false;
        }
    }

    fn check_livelock(&mut self) -> Result<(), Livelock> {
        let now = self.now;
        if !self.rounds.exceeds(now) {
            return Ok(());
        }
        // Prefer a node with a timer that is always due, because its reason explains more than datagrams do.
        let woken = self.nodes.iter().find(|node| node.wake.is_some_and(|wake| wake.at <= now));
        let due = woken.or_else(|| self.nodes.iter().find(|node| node.due(now).is_some_and(|at| at <= now)));
        due.map_or(Ok(()), |node| {
            let why = node.wake.filter(|wake| wake.at <= now).map(|wake| wake.reason);
            Err(Livelock { at: now, who: node.address, why })
        })
    }
}

impl core::fmt::Debug for Network {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let addresses: Vec<_> = self.nodes.iter().map(|node| node.address).collect();
        let mut shown = f.debug_struct("Network");
        shown.field("now", &self.now).field("machines_at", &addresses).field("sent", &self.sent());
        shown.finish_non_exhaustive()
    }
}
