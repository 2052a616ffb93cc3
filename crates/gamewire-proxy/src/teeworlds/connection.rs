use std::collections::VecDeque;

use gamewire_machine::TransmitQueue;
use gamewire_teeworlds::raw::link::{Link, LinkConfig, OverflowPolicy, SendError};

/// Maximum number of vital messages queued while the send buffer is full. The games close a connection when its send
/// buffer is full. The proxy queues instead, because its buffer may fill up when the sender's buffer does not.
const MAX_WAITING: usize = 512;

/// One of the two connections of a bridge.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) link: Link,
    waiting: VecDeque<Vec<u8>>,
}

impl Connection {
    pub(crate) const fn new(link: Link) -> Self {
        Self { link, waiting: VecDeque::new() }
    }

    /// Returns link settings that refuse a message when the send buffer is full.
    pub(crate) const fn link_config(config: LinkConfig) -> LinkConfig {
        LinkConfig { overflow: OverflowPolicy::Refuse, strict_packets: false, ..config }
    }

    /// Returns whether the peer has acknowledged all vital messages.
    pub(crate) fn is_delivered(&self) -> bool {
        self.waiting.is_empty() && !self.link.has_unacked()
    }

    /// Sends a message or queues it. Returns false if the message is too long.
    pub(crate) fn send(&mut self, vital: bool, content: &[u8]) -> bool {
        if vital && !self.waiting.is_empty() {
            self.wait(content);
            return true;
        }
        match self.link.send(vital, content) {
            Err(SendError::Full) => self.wait(content),
            Err(SendError::TooLong { .. }) => return false,
            _ => {}
        }
        true
    }

    fn wait(&mut self, content: &[u8]) {
        if self.waiting.len() < MAX_WAITING {
            self.waiting.push_back(content.to_vec());
        } else {
            self.link.close(Some(SendError::OutOfBuffer.to_string().as_bytes()));
        }
    }

    /// Sends queued messages. The link stores the datagrams until they are polled.
    pub(crate) fn send_waiting(&mut self) {
        while let Some(content) = self.waiting.front() {
            if self.link.send(true, content) == Err(SendError::Full) {
                break;
            }
            self.waiting.pop_front();
        }
        self.link.flush();
    }

    /// Sends queued messages, and adds all datagrams to `out`.
    pub(crate) fn flush(&mut self, out: &mut TransmitQueue<()>, buffer: &mut Vec<u8>) {
        self.send_waiting();
        while self.link.poll_transmit(buffer).is_some() {
            out.push((), buffer);
        }
    }

    /// Flushes before the close, because a close discards the datagrams of a link.
    pub(super) fn flush_and_close(
        &mut self,
        reason: Option<&[u8]>,
        out: &mut TransmitQueue<()>,
        buffer: &mut Vec<u8>,
    ) {
        self.flush(out, buffer);
        self.link.close(reason);
        self.flush(out, buffer);
    }
}
