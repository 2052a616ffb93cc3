//! A server of one client, thin enough to be seen through: it welcomes whoever comes, sends every
//! message back, and answers heartbeats.

use gamewire_machine::Role;

use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_riptide::link::{Acknowledgement, ConnectionSettings, Link, LinkConfig, NotifyIds};
use gamewire_riptide::raw::{
    Ack, HeartbeatReply, Notify, Packet, Payload, Reliable, Unreliable, Version, Welcome, Writer,
};
use gamewire_wire::CodecError;

#[derive(Debug, Default)]
pub struct ThinServer<V> {
    client: Option<(SocketAddr, Link)>,
    out: VecDeque<Vec<u8>>,
    version: core::marker::PhantomData<V>,
}

impl<V: Version> ThinServer<V> {
    fn push(&mut self, packet: &Packet<'_>) {
        self.out.push_back(bytes::<V>(packet));
    }

    fn send(&mut self, now: Instant, packet: impl Fn(u16) -> Packet<'static>) {
        let Some((_, link)) = &mut self.client else { return };
        let length = bytes::<V>(&packet(0)).len();
        let _ = link.send_reliable(now, length, |id, to| to.copy_from_slice(&bytes::<V>(&packet(id))));
        self.flush(now);
    }

    fn flush(&mut self, now: Instant) {
        let Some((_, link)) = &mut self.client else { return };
        while let Some(outgoing) = link.poll_send(now) {
            self.out.push_back(outgoing.packet.to_vec());
        }
    }

    fn ack(&mut self, seq_id: u16, length: usize) -> bool {
        let Some((_, link)) = &mut self.client else { return false };
        let receipt = link.handle_reliable(seq_id, length);
        if let Some(ack) = receipt.ack {
            let Acknowledgement { last_received_seq_id, received_seq_ids, for_seq_id } = ack;
            let trailing = Payload::EMPTY;
            self.push(&Ack { last_received_seq_id, received_seq_ids, for_seq_id, trailing }.into());
        }
        receipt.is_new
    }
}

fn bytes<V: Version>(packet: &Packet<'_>) -> Vec<u8> {
    let mut buffer = [0; 1231];
    let mut to = Writer::<V>::new(&mut buffer);
    packet.encode(&mut to).expect("it fits");
    to.written().to_vec()
}

impl<V: Version> Machine for ThinServer<V> {
    type Event = ();
    type DatagramError = CodecError;

    fn handle_timeout(&mut self, now: Instant) {
        if let Some((_, link)) = &mut self.client {
            let _ = link.handle_timeout(now);
        }
        self.flush(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.client.as_ref().and_then(|(_, link)| link.poll_timeout())
    }

    fn poll_event(&mut self) -> Option<()> {
        if let Some((_, link)) = &mut self.client {
            while link.poll_event().is_some() {}
        }
        None
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), CodecError> {
        let packet = Packet::decode::<V, _>(data, Role::Client, &mut ())?;
        if self.client.is_none() && matches!(packet, Packet::Connect(_)) {
            let config = if V::HEADER_BITS == 8 { LinkConfig::v20() } else { LinkConfig::v21() };
            let mut link = Link::server(config, ConnectionSettings::default(), now);
            link.accept(now);
            self.client = Some((from, link));
            self.send(now, |seq_id| Welcome { seq_id, client_id: 1, trailing: Payload::EMPTY }.into());
        }
        match packet {
            Packet::Welcome(welcome) => {
                if self.ack(welcome.seq_id, data.len())
                    && let Some((_, link)) = &mut self.client
                {
                    link.handle_welcome_echo(now);
                }
            }
            Packet::Reliable(Reliable { seq_id, id, .. }) => {
                let is_fresh = self.ack(seq_id, data.len());
                if is_fresh {
                    self.send(now, |seq_id| Reliable { seq_id, id, payload: Payload::EMPTY }.into());
                }
            }
            Packet::Unreliable(message) => self.push(&Unreliable { ..message }.into()),
            Packet::Notify(notify) => {
                let Notify { last_received_seq_id, received_seq_ids, seq_id, payload } = notify;
                let Some((_, link)) = &mut self.client else { return Ok(()) };
                let _ = link
                    .handle_notify(NotifyIds { last_received_seq_id, received_seq_ids, seq_id }, data.len());
                if let Ok(NotifyIds { last_received_seq_id, received_seq_ids, seq_id }) =
                    link.send_notify(data.len())
                {
                    self.push(&Notify { last_received_seq_id, received_seq_ids, seq_id, payload }.into());
                }
            }
            Packet::Heartbeat(heartbeat) => {
                let Some((_, link)) = &mut self.client else { return Ok(()) };
                if link.handle_heartbeat(now, heartbeat.rtt) {
                    self.push(
                        &HeartbeatReply { ping_id: heartbeat.ping_id, trailing: Payload::EMPTY }.into(),
                    );
                }
            }
            Packet::Ack(ack) => {
                let Ack { last_received_seq_id, received_seq_ids, for_seq_id, .. } = ack;
                let Some((_, link)) = &mut self.client else { return Ok(()) };
                link.handle_ack(now, Acknowledgement { last_received_seq_id, received_seq_ids, for_seq_id });
                self.flush(now);
            }
            Packet::Leave(_) => self.client = None,
            _ => {}
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let packet = self.out.pop_front()?;
        let (to, _) = self.client.as_ref()?;
        buffer.clear();
        buffer.extend_from_slice(&packet);
        Some(Transmit { to: *to })
    }
}
