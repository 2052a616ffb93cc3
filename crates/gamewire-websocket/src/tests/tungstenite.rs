//! Our ends against those of tungstenite, an independent implementation.

use std::io::{self, Cursor, Read, Write};

use gamewire_machine::Role;
use tungstenite::protocol::{self, WebSocketContext};
use tungstenite::{Bytes, Message};

use crate::{AllowedOrigins, ClientUpgrade, ServerUpgrade, Socket, SocketError, Target, close_code};

/// A stream in memory: the received and the sent bytes.
#[derive(Debug, Default)]
struct Memory {
    incoming: Cursor<Vec<u8>>,
    outgoing: Vec<u8>,
}

impl Read for Memory {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.incoming.read(buffer)? {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            count => Ok(count),
        }
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.outgoing.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Memory {
    fn of(incoming: &[u8]) -> Self {
        Self { incoming: Cursor::new(incoming.to_vec()), outgoing: Vec::new() }
    }
}

fn roles() -> [(Role, protocol::Role); 2] {
    [(Role::Server, protocol::Role::Client), (Role::Client, protocol::Role::Server)]
}

#[test]
fn messages_of_every_length_pass_in_both_directions_and_roles() {
    for (ours, theirs) in roles() {
        let (mut ours, mut theirs) = (Socket::new(ours, 70_000, 1), WebSocketContext::new(theirs, None));
        for length in [0, 1, 125, 126, 1231, 65535, 65536] {
            let message: Vec<u8> = (0..length).map(|at: u32| at.to_le_bytes()[0]).collect();
            let mut bytes = Vec::new();
            ours.append_message(&message, &mut bytes);
            let mut stream = Memory::of(&bytes);
            assert_eq!(theirs.read(&mut stream).unwrap(), Message::Binary(message.clone().into()));
            theirs.write(&mut stream, Message::Ping(Bytes::from_static(b"hello"))).unwrap();
            theirs.write(&mut stream, Message::Binary(message.clone().into())).unwrap();
            theirs.flush(&mut stream).unwrap();
            assert_eq!(ours.next_message(&mut stream.outgoing.as_slice()), Ok(Some(message.as_slice())));
            let mut pong = Vec::new();
            assert!(ours.take_control(&mut pong));
            let pong = theirs.read(&mut Memory::of(&pong)).unwrap();
            assert_eq!(pong, Message::Pong(Bytes::from_static(b"hello")));
        }
        let mut stream = Memory::default();
        theirs.close(&mut stream, None).unwrap();
        assert_eq!(ours.next_message(&mut stream.outgoing.as_slice()), Err(SocketError::Closed(None)));
        let mut close = Vec::new();
        assert!(ours.take_control(&mut close));
        let closed = theirs.read(&mut Memory::of(&close)).unwrap();
        assert!(matches!(closed, Message::Close(Some(frame)) if u16::from(frame.code) == close_code::NORMAL));
    }
}

#[test]
fn an_upgrade_is_understood_in_both_roles() {
    let (mut client, request) = ClientUpgrade::new(&Target::new("h:1").with_path("/room?a=1"), 1);
    let accepted = tungstenite::accept(Memory::of(&request)).unwrap();
    assert_eq!(client.handle_bytes(&mut accepted.get_ref().outgoing.as_slice()), Ok(true));

    let theirs = tungstenite::client("ws://h:1/room", Memory::default());
    let Err(tungstenite::HandshakeError::Interrupted(mut theirs)) = theirs else { panic!("no answer yet") };
    let (mut response, mut server) = (Vec::new(), ServerUpgrade::default());
    let request = core::mem::take(&mut theirs.get_mut().get_mut().outgoing);
    assert_eq!(
        server.handle_bytes(&mut request.as_slice(), &AllowedOrigins::default(), &mut response),
        Ok(true)
    );
    theirs.get_mut().get_mut().incoming = Cursor::new(response);
    let (_, response) = theirs.handshake().unwrap();
    assert_eq!(response.status(), 101);
}
