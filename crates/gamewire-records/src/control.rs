use std::net::{IpAddr, SocketAddr};

/// Bytes of a challenge.
pub(crate) const CHALLENGE_BYTES: usize = 8;

const CHALLENGE: u8 = 1;
const ANSWER: u8 = 2;
const MOVED: u8 = 3;
const V4: u8 = 4;
const V6: u8 = 6;

/// The content of a control record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// The server asks whether the client receives at the address that this was sent to.
    Challenge([u8; CHALLENGE_BYTES]),
    /// The client has received a challenge.
    Answer([u8; CHALLENGE_BYTES]),
    /// The session has moved to this address of the client, as the server sees it.
    Moved(SocketAddr),
}

impl Control {
    pub(crate) fn parse(message: &[u8]) -> Option<Self> {
        match message.split_first()? {
            (&CHALLENGE, data) => Some(Self::Challenge(data.try_into().ok()?)),
            (&ANSWER, data) => Some(Self::Answer(data.try_into().ok()?)),
            (&MOVED, [V4, a, b, c, d, port @ ..]) => {
                Some(Self::Moved(SocketAddr::new(IpAddr::from([*a, *b, *c, *d]), read_port(port)?)))
            }
            (&MOVED, [V6, rest @ ..]) => {
                let (ip, port) = rest.split_first_chunk::<16>()?;
                Some(Self::Moved(SocketAddr::new(IpAddr::from(*ip), read_port(port)?)))
            }
            _ => None,
        }
    }

    /// Appends the message to `buffer`.
    pub(crate) fn append(self, buffer: &mut Vec<u8>) {
        match self {
            Self::Challenge(data) => {
                buffer.push(CHALLENGE);
                buffer.extend_from_slice(&data);
            }
            Self::Answer(data) => {
                buffer.push(ANSWER);
                buffer.extend_from_slice(&data);
            }
            Self::Moved(address) => {
                match address.ip().to_canonical() {
                    IpAddr::V4(ip) => {
                        buffer.extend_from_slice(&[MOVED, V4]);
                        buffer.extend_from_slice(&ip.octets());
                    }
                    IpAddr::V6(ip) => {
                        buffer.extend_from_slice(&[MOVED, V6]);
                        buffer.extend_from_slice(&ip.octets());
                    }
                }
                buffer.extend_from_slice(&address.port().to_le_bytes());
            }
        }
    }
}

fn read_port(bytes: &[u8]) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}
