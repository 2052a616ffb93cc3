use gamewire_wire::Writer;

use super::super::InfoRequest;
use super::{extended, plain, v07};
use crate::session::info::ServerInfo;
use crate::shared::packet::MAX_DATAGRAM;

/// Answers a server info request. Passes each datagram of the answer to `send`.
///
/// Texts are cut to the lengths of the games. The list of clients is cut in 0.6 (16 clients) and 0.7 (one datagram), and
/// the counts with it, because the games ignore an answer in which they differ. The name then ends with the true counts, as
/// in `[20/64]`; in 0.6 also if more than 16 clients may connect. Only the extended format has several datagrams, at most
/// 64.
///
/// An answer is longer than its request, and only 0.7 verifies the address of the sender. The caller must limit the rate of
/// answers.
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
