use flate2::{Decompress, FlushDecompress};
use gamewire_machine::ConversationSide;

/// What the bytes of a connection that nobody knows yet add up to.
///
/// Freeciv is known by a client's first packet, by a server's first packets, which may be
/// compressed, and in the middle of a connection by runs of whole packets among which is one that
/// every game is full of.
#[derive(Clone, Debug, Default)]
pub struct Detector {
    /// The first bytes of each end, while they may be the beginning of a request to be let in.
    starts: [StreamStart; 2],
    /// What the last runs of each end were, while they were whole packets.
    packets: [Packets; 2],
}

/// Whole packets in the middle of a connection.
#[derive(Clone, Copy, Debug, Default)]
struct Packets {
    count: usize,
    /// One of them is one that every game is full of.
    is_telling: bool,
}

/// What is thought of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// It is Freeciv's from its first byte on, and this end is the client.
    Begins(ConversationSide),
    /// It is Freeciv's, this end is the client, and it has begun before.
    Late(ConversationSide),
    /// These bytes may be Freeciv's: should the connection turn out to be, they are to be followed
    /// before those that show it.
    Possible,
    /// These bytes say nothing.
    NoMatch,
}

#[derive(Clone, Debug, Default)]
enum StreamStart {
    #[default]
    Unseen,
    /// These, which may be a part of a request.
    Request(Vec<u8>),
    /// Something else.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestMatch {
    Whole,
    Part,
    No,
}

/// The longest request that is taken for one.
const LONGEST_REQUEST: usize = 1024;
/// Packets without fields that every game is full of: an answer begins and ends, a ping, a turn
/// begins and ends, the client's reports stop and go on.
const EMPTY: [u16; 7] = [0, 1, 88, 128, 129, 130, 131];
/// How many packets in a row show that a connection is Freeciv's.
const FEWEST_PACKETS: usize = 3;
/// The largest number of a type in any version, with room.
const LAST_TYPE: u16 = 600;

impl Detector {
    /// Whether bytes are worth a look though many others of their connection said nothing: whole
    /// packets, as they stand in the middle of a game.
    #[must_use]
    pub fn is_telling(bytes: &[u8]) -> bool {
        whole_packets(bytes).is_some()
    }

    /// Looks at the next bytes of one end.
    pub fn run(&mut self, from: ConversationSide, run: &[u8]) -> Detection {
        let [first, second] = &mut self.starts;
        let beginning = if from == ConversationSide::First { first } else { second };
        let seen = match core::mem::replace(beginning, StreamStart::Other) {
            StreamStart::Unseen => Some(Vec::new()),
            StreamStart::Request(seen) => Some(seen),
            StreamStart::Other => None,
        };
        if let Some(mut seen) = seen {
            if seen.is_empty() && is_first_answer(run) {
                return Detection::Begins(from.other());
            }
            let room = LONGEST_REQUEST.saturating_sub(seen.len());
            seen.extend_from_slice(run.get(..room).unwrap_or(run));
            match request(&seen) {
                RequestMatch::Whole => return Detection::Begins(from),
                RequestMatch::Part => {
                    *beginning = StreamStart::Request(seen);
                    return Detection::Possible;
                }
                RequestMatch::No => {}
            }
        }
        let [first, second] = &mut self.packets;
        let packets = if from == ConversationSide::First { first } else { second };
        *packets = whole_packets(run).map_or_else(Packets::default, |more| packets.and(more));
        if packets.is_telling && packets.count >= FEWEST_PACKETS {
            Detection::Late(from.other())
        } else {
            Detection::NoMatch
        }
    }
}

/// Whether bytes begin with a request to be let in: three texts, of which the second names the
/// protocol, and three numbers.
fn request(bytes: &[u8]) -> RequestMatch {
    let [high, low, kind, rest @ ..] = bytes else {
        // No request is as long as 1024.
        return if bytes.first().is_none_or(|high| *high < 4) {
            RequestMatch::Part
        } else {
            RequestMatch::No
        };
    };
    let length = usize::from(u16::from_be_bytes([*high, *low]));
    if *kind != 4 || length > LONGEST_REQUEST {
        return RequestMatch::No;
    }
    let Some(body) = length.checked_sub(3) else { return RequestMatch::No };
    let is_whole = rest.len() >= body;
    let mut rest = rest.get(..body).unwrap_or(rest);
    for most in [48, 512, 48] {
        let Some(end) = rest.iter().position(|byte| *byte == 0) else {
            let is_text = rest.len() < most && rest.iter().all(|byte| !byte.is_ascii_control());
            return if is_text && !is_whole { RequestMatch::Part } else { RequestMatch::No };
        };
        let (text, behind) = rest.split_at(end);
        let is_named = most != 512 || text.windows(8).any(|word| word.eq_ignore_ascii_case(b"freeciv-"));
        if end >= most || !is_named || text.iter().any(u8::is_ascii_control) {
            return RequestMatch::No;
        }
        rest = behind.get(1..).unwrap_or_default();
    }
    match (is_whole, rest.len()) {
        (true, 12) => RequestMatch::Whole,
        (false, ..12) => RequestMatch::Part,
        _ => RequestMatch::No,
    }
}

/// Whether these are the first bytes of a server: that it has begun to answer, then either what it
/// is or that the client may not join.
fn is_first_answer(bytes: &[u8]) -> bool {
    let mut start = [0; 16];
    let start = match bytes {
        [0xff, 0xff, _, _, _, _, zlib @ ..] => inflate(zlib, &mut start),
        [high, _, zlib @ ..] if *high >= 0x40 => inflate(zlib, &mut start),
        plain => plain,
    };
    matches!(start, [0, 3, 0, 0, _, 29, ..] | [0, 3, 0, _, _, 5, 0, ..])
}

/// The first bytes that a zlib stream inflates to.
fn inflate<'o>(zlib: &[u8], out: &'o mut [u8]) -> &'o [u8] {
    if zlib.first() != Some(&0x78) {
        return &[];
    }
    let mut inflater = Decompress::new(true);
    match inflater.decompress(zlib, out, FlushDecompress::None) {
        Ok(_) => {
            let made = usize::try_from(inflater.total_out()).unwrap_or(0);
            out.get(..made).unwrap_or_default()
        }
        Err(_) => &[],
    }
}

/// The packets of a run in the middle of a game, if it consists of whole ones.
fn whole_packets(run: &[u8]) -> Option<Packets> {
    let mut rest = run;
    let mut packets = Packets::default();
    while let [a, b, c, d, ..] = rest {
        let (length, number) = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
        if length < 4 || number > LAST_TYPE {
            return None;
        }
        rest = rest.get(usize::from(length)..)?;
        let is_telling = length == 4 && EMPTY.contains(&number);
        packets = packets.and(Packets { count: 1, is_telling });
    }
    (rest.is_empty() && packets.count > 0).then_some(packets)
}

impl Packets {
    const fn and(self, more: Self) -> Self {
        let count = self.count.saturating_add(more.count);
        Self { count, is_telling: self.is_telling || more.is_telling }
    }
}
