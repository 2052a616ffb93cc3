use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Instant, Wake};

use super::CommandError;
use super::online::{MAX_MESSAGE, OnlineLink};
use crate::Dialect;
use crate::handshake::{Rate, TokenBucket};
use crate::link::SendError;
use crate::model::message::{Audience, ClientMessage};
use crate::shared::pack::Text;

/// Maximum number of lines of each kind that wait.
const MAX_LINES: usize = 256;
/// Interval between two lines. The games drop a line that follows another within a second (`sv_spamprotection`).
const LINE_INTERVAL: Duration = Duration::from_millis(1050);
/// DDNet counts 250 points for a line, and mutes a player with more than 1000 points for a minute. A point expires each
/// tick, so that a line expires after 5 s (`sv_chat_penalty`, `sv_chat_threshold`).
const DDNET_RATE: Rate = Rate { burst: 4, interval: Duration::from_millis(5250) };
/// Maximum number of unacknowledged messages at which the next command is sent. A server sends each line of its output as
/// a message, and closes the connection if more than 341 are unacknowledged.
const MAX_UNACKED: usize = 8;
/// Delay before the next attempt to send a line.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Chat lines and commands of the remote console that wait until the server accepts them.
#[derive(Debug, Default)]
pub(super) struct LineQueue {
    chat: VecDeque<(Audience, String)>,
    commands: VecDeque<String>,
    /// Time at which the next chat line may be sent.
    next_at: Instant,
    ddnet: TokenBucket,
    /// The server has DDNet's limits.
    pub(super) is_ddnet: bool,
}

impl LineQueue {
    /// Returns the number of lines that wait.
    pub(super) fn len(&self) -> usize {
        self.chat.len().saturating_add(self.commands.len())
    }

    /// Appends a chat line.
    ///
    /// # Errors
    /// [`SendError::Full`] if too many lines wait.
    pub(super) fn push_chat(&mut self, audience: Audience, text: &str) -> Result<(), SendError> {
        push(&mut self.chat, (audience, text.to_owned()))
    }

    /// Appends a command of the remote console.
    ///
    /// # Errors
    /// [`SendError::Full`] if too many commands wait.
    pub(super) fn push_command(&mut self, line: &str) -> Result<(), SendError> {
        push(&mut self.commands, line.to_owned())
    }

    /// Sends the lines that are due.
    pub(super) fn send_due(&mut self, online: &mut OnlineLink, buffer: &mut [u8; MAX_MESSAGE]) {
        while online.link.unacked_count() < MAX_UNACKED
            && let Some(line) = self.commands.pop_front()
        {
            // The line was checked when it was queued. A closed link drops it.
            online.send(true, &ClientMessage::RconCmd(Text::new(&line)), buffer).ok();
        }
        self.send_chat(online, buffer);
    }

    fn send_chat(&mut self, online: &mut OnlineLink, buffer: &mut [u8; MAX_MESSAGE]) {
        let now = online.link.now();
        let Some((audience, text)) = self.chat.front().filter(|_| now >= self.next_at) else { return };
        let is_limited = self.is_ddnet || online.link.dialect() == Dialect::Tken;
        let line = ClientMessage::Say { audience: *audience, text: Text::new(text) };
        if is_limited && !self.ddnet.has_token(now, DDNET_RATE)
            || matches!(online.send(true, &line, buffer), Err(CommandError::Send(SendError::Full)))
        {
            self.next_at = now + RETRY_AFTER;
            return;
        }
        if is_limited {
            // Only a line that was sent counts at the server.
            self.ddnet.try_acquire(now, DDNET_RATE);
        }
        self.next_at = now + LINE_INTERVAL;
        self.chat.pop_front();
    }

    pub(super) fn poll_timeout(&self, online: &OnlineLink) -> Option<Wake> {
        if !self.commands.is_empty() && online.link.unacked_count() < MAX_UNACKED {
            return Some(Wake { at: online.link.now(), reason: "command" });
        }
        (!self.chat.is_empty()).then_some(Wake { at: self.next_at, reason: "chat" })
    }
}

fn push<T>(lines: &mut VecDeque<T>, line: T) -> Result<(), SendError> {
    if lines.len() >= MAX_LINES {
        return Err(SendError::Full);
    }
    lines.push_back(line);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use crate::link::{Link, LinkConfig, LinkTokens};
    use crate::shared::data::Token;

    fn link(resend_buffer: usize) -> OnlineLink {
        let config = LinkConfig { resend_buffer, ..LinkConfig::ddnet(Dialect::Tken) };
        let server = SocketAddr::from(([192, 0, 2, 1], 8303));
        OnlineLink::new(Link::new(LinkTokens::Tken(Token(1)), server, config, Instant::ZERO), true)
    }

    #[test]
    fn a_full_send_buffer_does_not_use_up_the_lines_that_ddnet_accepts() {
        let (mut lines, mut buffer) = (LineQueue::default(), [0; MAX_MESSAGE]);
        for number in 0..4 {
            lines.push_chat(Audience::All, &format!("line {number}")).unwrap();
        }
        let mut send_for = |online: &mut OnlineLink, seconds: core::ops::Range<u64>| {
            for tenth in seconds.start.saturating_mul(10)..seconds.end.saturating_mul(10) {
                online.link.advance(Instant::from_micros(tenth.saturating_mul(100_000)));
                lines.send_due(online, &mut buffer);
            }
            lines.len()
        };
        assert_eq!(send_for(&mut link(0), 0..2), 4, "the buffer is full");
        assert_eq!(send_for(&mut link(1 << 15), 2..6), 0, "a line a second");
    }
}
