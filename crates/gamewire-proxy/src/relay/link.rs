use gamewire_machine::{Instant, Role, Transport};
use gamewire_sim::{Conditioner, Conditions};

use super::clients::Slot;
use super::config::MAX_STREAM_WAITING;

/// The links to both sides. They hold the bytes that their conditions delay.
#[derive(Debug)]
pub(super) struct Links {
    to_server: Option<Link>,
    to_client: Option<Link>,
    seed: u64,
}

/// The link to one side.
#[derive(Debug)]
struct Link {
    datagrams: Conditioner<Slot>,
    /// Applies only delay, jitter and rate to streams, because TCP resends lost data.
    streams: Conditioner<Slot>,
}

/// The outcome of passing bytes to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pushed {
    /// The link is perfect: the caller must send the bytes now.
    SendNow,
    /// The link delivers the bytes later.
    Delayed,
    /// The link lost the bytes.
    Lost,
}

/// Returns the conditions that apply to a stream.
const fn of_stream(conditions: Conditions) -> Conditions {
    let Conditions { delay, jitter, rate, .. } = conditions;
    Conditions { delay, jitter, rate, mtu: usize::MAX, ..Conditions::PERFECT }
}

impl Links {
    pub(super) fn new(conditions: [Option<Conditions>; 2], seed: u64) -> Self {
        let mut links = Self { to_server: None, to_client: None, seed };
        for (to, conditions) in [Role::Server, Role::Client].into_iter().zip(conditions) {
            if let Some(conditions) = conditions {
                links.set(to, conditions);
            }
        }
        links
    }

    pub(super) fn set(&mut self, to: Role, conditions: Conditions) {
        // With the same seed, both directions would lose the same datagrams.
        let seed = if to == Role::Server { self.seed } else { !self.seed };
        let link = self.to(to).get_or_insert_with(|| Link {
            datagrams: Conditioner::new(conditions, seed),
            streams: Conditioner::new(of_stream(conditions), seed),
        });
        link.datagrams.set_conditions(conditions);
        link.streams.set_conditions(of_stream(conditions));
    }

    /// Passes a datagram or the next bytes of a stream to the link. A perfect link does not take them.
    pub(super) fn push(
        &mut self,
        now: Instant,
        transport: Transport,
        to: Role,
        slot: Slot,
        bytes: &[u8],
    ) -> Pushed {
        let Some(link) = self.to(to) else { return Pushed::SendNow };
        let (link, undisturbed) = match transport {
            Transport::Udp => (&mut link.datagrams, Conditions::PERFECT),
            Transport::Tcp => (&mut link.streams, of_stream(Conditions::PERFECT)),
        };
        if *link.conditions() == undisturbed && link.wake().is_none() {
            return Pushed::SendNow;
        }
        if link.push(now, slot, bytes) { Pushed::Delayed } else { Pushed::Lost }
    }

    /// Returns the next datagram or stream bytes that must be sent now.
    pub(super) fn pop(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<(Role, Slot)> {
        Role::BOTH.into_iter().find_map(|to| {
            let link = self.to(to).as_mut()?;
            let slot = link.datagrams.pop(now, buffer).or_else(|| link.streams.pop(now, buffer))?;
            Some((to, slot))
        })
    }

    /// Returns whether the link to `to` holds too many stream bytes, so that the proxy must not read more for it.
    pub(super) fn is_busy(&mut self, to: Role) -> bool {
        self.to(to).as_ref().is_some_and(|link| {
            link.streams.bytes() > MAX_STREAM_WAITING
                || link.streams.conditions().rate.is_some() && link.streams.wake().is_some()
        })
    }

    /// Returns whether a link delays stream bytes.
    pub(super) fn has_streams(&self) -> bool {
        self.all().any(|link| link.streams.wake().is_some())
    }

    pub(super) fn wake(&self) -> Option<Instant> {
        self.all().flat_map(|link| [link.datagrams.wake(), link.streams.wake()]).flatten().min()
    }

    /// Returns the number of datagrams that were lost.
    pub(super) fn lost(&self) -> u64 {
        let lost = self.all().map(|link| {
            let tally = link.datagrams.tally();
            tally.lost.saturating_add(tally.over_mtu).saturating_add(tally.queue_full)
        });
        lost.fold(0, u64::saturating_add)
    }

    fn all(&self) -> impl Iterator<Item = &Link> {
        [&self.to_server, &self.to_client].into_iter().flatten()
    }

    const fn to(&mut self, to: Role) -> &mut Option<Link> {
        match to {
            Role::Server => &mut self.to_server,
            Role::Client => &mut self.to_client,
        }
    }
}
