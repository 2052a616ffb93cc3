use gamewire_wire::Writer;

use super::super::InfoRequest;
use super::{extended, plain, v07};
use crate::session::info::ServerInfo;
use crate::shared::packet::MAX_DATAGRAM;

/// Answers a question of what the server is: gives each datagram of the answer to `send`.
///
/// Text is cut to what the games take. The list of clients is cut in 0.6 (16) and 0.7 (one
/// datagram), and the counts with it, as the games ignore an answer in which these differ; the
/// name then ends with the true numbers, as in `[20/64]`. In 0.6 it does so too when more than 16
/// may connect. Only the extended form is several datagrams: at most 64.
///
/// An answer is longer than its question, and only 0.7 proves that the asker's address is its own:
/// a server must limit how often it answers.
pub fn reply(info: &ServerInfo, request: &InfoRequest, mut send: impl FnMut(&[u8])) {
    let mut buffer = [0; MAX_DATAGRAM];
    match *request {
        InfoRequest::Plain { token } => {
            let mut to = Writer::new(&mut buffer);
            if plain::write(info, token, &mut to).is_ok() {
                send(to.written());
            }
        }
        InfoRequest::Extended { token } => extended::write(info, token, &mut buffer, send),
        InfoRequest::V07 { answer: header, token } => {
            if let Some(answer) = v07::write(info, &header, token, &mut buffer) {
                send(answer);
            }
        }
    }
}
