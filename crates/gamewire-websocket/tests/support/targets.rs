//! Properties of the decoders for any bytes of a peer.

use gamewire_machine::Role;
use gamewire_websocket::{
    AllowedOrigins, ClientUpgrade, MAX_HEAD_BYTES, MAX_QUEUED_CONTROL_BYTES, ServerUpgrade, Socket, Target,
};

const MAX_MESSAGE: usize = 1231;

/// The messages of an end, and how its connection ended.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    opened: Option<bool>,
    messages: Vec<Vec<u8>>,
    control: Vec<u8>,
    error: String,
}

/// Reads bytes as the upgrade and the frames of a peer, in one part and in parts of a size. Both must have one outcome. The
/// first byte is the role, the second the size.
pub(crate) fn websocket(bytes: &[u8]) {
    let [role, size, rest @ ..] = bytes else { return };
    let role = if role & 1 == 0 { Role::Server } else { Role::Client };
    let whole = read(role, &[rest]);
    let size = usize::from(*size).max(1);
    assert_eq!(whole, read(role, &rest.chunks(size).collect::<Vec<_>>()), "cut into parts of {size}");
}

fn read(role: Role, parts: &[&[u8]]) -> Outcome {
    let (mut server, (mut client, _)) = (ServerUpgrade::default(), ClientUpgrade::new(&Target::new("h"), 1));
    let mut socket = Socket::new(role, MAX_MESSAGE, 1);
    let (mut outcome, mut response) = (Outcome::default(), Vec::new());
    for part in parts {
        let mut data = *part;
        if outcome.opened != Some(true) {
            let opened = match role {
                Role::Server => server
                    .handle_bytes(&mut data, &AllowedOrigins::any(), &mut response)
                    .map_err(|error| error.to_string()),
                Role::Client => client.handle_bytes(&mut data).map_err(|error| error.to_string()),
            };
            assert!(server.held_bytes() <= 2 * MAX_HEAD_BYTES);
            match opened {
                Ok(false) => continue,
                Ok(true) => outcome.opened = Some(true),
                Err(error) => {
                    outcome.error = error;
                    return outcome;
                }
            }
        }
        loop {
            match socket.next_message(&mut data) {
                Ok(Some(message)) => {
                    assert!(message.len() <= MAX_MESSAGE);
                    outcome.messages.push(message.to_vec());
                }
                Ok(None) => break,
                Err(error) => {
                    outcome.error = error.to_string();
                    socket.take_control(&mut outcome.control);
                    return outcome;
                }
            }
        }
        assert!(data.is_empty() && socket.held_bytes() <= 8 * MAX_QUEUED_CONTROL_BYTES);
    }
    socket.take_control(&mut outcome.control);
    outcome
}
