//! The operations of a sequence and their encoding as bytes.

/// An operation on a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The time advances by this many milliseconds, and all datagrams arrive.
    Talk(u16),
    /// The time advances by this many milliseconds, and the machine's datagrams are lost.
    Wait(u16),
    /// The clock jumps ahead by this many seconds.
    Jump(u16),
    /// The clock goes back by this many milliseconds.
    Back(u16),
    /// The peer sends a message over a valid connection.
    Say { vital: bool, content: Vec<u8> },
    /// A datagram arrives, from the peer's address or from an unknown one.
    Hear { from_peer: bool, datagram: Vec<u8> },
    /// A datagram that the peer sent earlier arrives. Bit `flipped` of it is inverted, if it has that many bits.
    Replay { back: u8, flipped: u8 },
    /// The command with this number and argument.
    Command { number: u8, argument: u8 },
    /// One datagram and one event are polled, and nothing else.
    Poll,
}

/// Maximum bytes of a message and of a datagram.
pub const MAX_MESSAGE_BYTES: usize = 1_500;

impl Step {
    /// Takes the next step from `bytes`.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (&[kind, high, low], rest) = bytes.split_first_chunk::<3>()?;
        *bytes = rest;
        let number = u16::from_be_bytes([high, low]);
        let mut data = || {
            let (data, rest) = rest.split_at(usize::from(number).min(rest.len()).min(MAX_MESSAGE_BYTES));
            *bytes = rest;
            data.to_vec()
        };
        Some(match kind % 11 {
            0 => Self::Talk(number % 1_000),
            1 => Self::Wait(number % 1_000),
            2 => Self::Jump(number),
            3 => Self::Back(number),
            4 => Self::Say { vital: true, content: data() },
            5 => Self::Say { vital: false, content: data() },
            6 => Self::Hear { from_peer: true, datagram: data() },
            7 => Self::Hear { from_peer: false, datagram: data() },
            8 => Self::Replay { back: high, flipped: low },
            9 => Self::Command { number: high, argument: low },
            _ => Self::Poll,
        })
    }

    /// Appends the step to `bytes`.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let (kind, number, data): (u8, u16, &[u8]) = match self {
            Self::Talk(millis) => (0, *millis, &[]),
            Self::Wait(millis) => (1, *millis, &[]),
            Self::Jump(seconds) => (2, *seconds, &[]),
            Self::Back(millis) => (3, *millis, &[]),
            Self::Say { vital, content } => (if *vital { 4 } else { 5 }, content.len() as u16, content),
            Self::Hear { from_peer, datagram } => {
                (if *from_peer { 6 } else { 7 }, datagram.len() as u16, datagram)
            }
            Self::Replay { back, flipped } => (8, u16::from_be_bytes([*back, *flipped]), &[]),
            Self::Command { number, argument } => (9, u16::from_be_bytes([*number, *argument]), &[]),
            Self::Poll => (10, 0, &[]),
        };
        bytes.push(kind);
        bytes.extend(number.to_be_bytes());
        bytes.extend(data);
    }
}

/// A sequence: its start and its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The dialect (bits 0 and 1), and other differences of the start (bits 2 and up).
    pub start: u8,
    pub steps: Vec<Step>,
}

/// Maximum number of steps. Later steps are ignored.
const MAX_STEPS: usize = 400;

impl Sequence {
    pub fn read(bytes: &[u8]) -> Self {
        let Some((&start, mut bytes)) = bytes.split_first() else {
            return Self { start: 0, steps: Vec::new() };
        };
        let steps = core::iter::from_fn(|| Step::read(&mut bytes)).take(MAX_STEPS).collect();
        Self { start, steps }
    }

    pub fn write(&self) -> Vec<u8> {
        let mut bytes = vec![self.start];
        self.steps.iter().for_each(|step| step.write(&mut bytes));
        bytes
    }
}
