use std::collections::VecDeque;

use gamewire_teeworlds::raw::link::{Link, LinkConfig, OverflowPolicy, SendError};

/// Maximum number of vital messages that wait until the send buffer has room. The games close the connection at once when
/// the buffer is full, but what fitted into the sender's buffer need not fit into this one at the same time.
const WAITING: usize = 512;

/// One of the two connections of a session.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) link: Link,
    waiting: VecDeque<Vec<u8>>,
}

impl Connection {
    pub(crate) const fn new(link: Link) -> Self {
        Self { link, waiting: VecDeque::new() }
    }

    /// Returns the settings of a link whose full send buffer makes messages wait.
    pub(crate) const fn link_config(config: LinkConfig) -> LinkConfig {
        LinkConfig { overflow: OverflowPolicy::Refuse, strict_packets: false, ..config }
    }

    /// Sends a message, or lets it wait. Returns false if it is too long.
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
        if self.waiting.len() < WAITING {
            self.waiting.push_back(content.to_vec());
        } else {
            self.link.close(Some(SendError::OutOfBuffer.to_string().as_bytes()));
        }
    }

    /// Sends what is due, and puts all datagrams into `out`.
    pub(crate) fn flush(&mut self, out: &mut VecDeque<Vec<u8>>) {
        while let Some(content) = self.waiting.front() {
            if self.link.send(true, content) == Err(SendError::Full) {
                break;
            }
            self.waiting.pop_front();
        }
        self.link.flush();
        let mut buffer = Vec::new();
        while self.link.poll_transmit(&mut buffer).is_some() {
            out.push_back(buffer.clone());
        }
    }
}
