use flate2::{Decompress, FlushDecompress};
use gamewire_machine::ConversationSide;

/// A detector for connections of Freeciv.
///
/// It detects a connection in three ways: by the client's first packet, by the server's first packets, which may be
/// compressed, and in the middle of a connection by consecutive whole packets. At least one of these must be of a type
/// that is frequent in every game.
#[derive(Clone, Debug, Default)]
pub struct Detector {
    first: DetectedSide,
    second: DetectedSide,
}

/// The detection state of one side of the connection.
#[derive(Clone, Debug, Default)]
struct DetectedSide {
    /// The first bytes, as long as they can be the start of a join request.
    start: StreamStart,
    /// The consecutive whole packets up to now.
    packets: Packets,
}

/// Consecutive whole packets in the middle of a connection.
#[derive(Clone, Copy, Debug, Default)]
struct Packets {
    count: usize,
    /// True if one of the packets is of a type that is frequent in every game.
    has_frequent: bool,
}

/// The result of a detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// The connection is Freeciv, starts at its first byte, and this side is the client.
    Begins(ConversationSide),
    /// The connection is Freeciv, its first bytes are missing, and this side is the client.
    Late(ConversationSide),
    /// The bytes may be Freeciv. If a later call detects Freeciv, pass these bytes to the follower first.
    Possible,
    /// The bytes are not recognized.
    NoMatch,
}

#[derive(Clone, Debug, Default)]
enum StreamStart {
    #[default]
    Unseen,
    /// The start of a possible join request.
    Request(Vec<u8>),
    /// Other bytes.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestMatch {
    Whole,
    Part,
    No,
}

/// Maximum bytes of a join request.
const MAX_REQUEST_BYTES: usize = 1024;
/// Packets without fields that are frequent in every game: PROCESSING_STARTED and PROCESSING_FINISHED, CONN_PING,
/// BEGIN_TURN, END_TURN, FREEZE_CLIENT, THAW_CLIENT.
const EMPTY: [u16; 7] = [0, 1, 88, 128, 129, 130, 131];
/// Number of consecutive packets that prove Freeciv.
const MIN_PACKETS: usize = 3;
/// An upper limit for packet types of any version.
const LAST_TYPE: u16 = 600;

impl Detector {
    /// Returns whether bytes may be Freeciv although earlier bytes were not recognized. They must be whole packets, as
    /// in the middle of a game.
    pub fn is_candidate(bytes: &[u8]) -> bool {
        whole_packets(bytes).is_some()
    }

    /// Checks the next bytes of one side.
    pub fn run(&mut self, from: ConversationSide, run: &[u8]) -> Detection {
        let side = if from == ConversationSide::First { &mut self.first } else { &mut self.second };
        let earlier = match core::mem::replace(&mut side.start, StreamStart::Other) {
            StreamStart::Unseen => Some(Vec::new()),
            StreamStart::Request(bytes) => Some(bytes),
            StreamStart::Other => None,
        };
        if let Some(mut bytes) = earlier {
            if bytes.is_empty() && is_first_answer(run) {
                return Detection::Begins(from.other());
            }
            let room = MAX_REQUEST_BYTES.saturating_sub(bytes.len());
            bytes.extend_from_slice(run.get(..room).unwrap_or(run));
            match request(&bytes) {
                RequestMatch::Whole => return Detection::Begins(from),
                RequestMatch::Part => {
                    side.start = StreamStart::Request(bytes);
                    return Detection::Possible;
                }
                RequestMatch::No => {}
            }
        }
        let packets = side.packets;
        side.packets = whole_packets(run).map_or_else(Packets::default, |more| packets.and(more));
        if side.packets.has_frequent && side.packets.count >= MIN_PACKETS {
            Detection::Late(from.other())
        } else {
            Detection::NoMatch
        }
    }
}

/// Checks whether bytes start with a join request: three texts and three numbers. The second text names the protocol.
fn request(bytes: &[u8]) -> RequestMatch {
    let [high, low, kind, rest @ ..] = bytes else {
        // A join request is shorter than 1024 bytes.
        return if bytes.first().is_none_or(|high| *high < 4) {
            RequestMatch::Part
        } else {
            RequestMatch::No
        };
    };
    let length = usize::from(u16::from_be_bytes([*high, *low]));
    if *kind != 4 || length > MAX_REQUEST_BYTES {
        return RequestMatch::No;
    }
    let Some(body) = length.checked_sub(3) else { return RequestMatch::No };
    let is_whole = rest.len() >= body;
    let mut rest = rest.get(..body).unwrap_or(rest);
    for max in [48, 512, 48] {
        let Some(end) = rest.iter().position(|byte| *byte == 0) else {
            let is_text = rest.len() < max && rest.iter().all(|byte| !byte.is_ascii_control());
            return if is_text && !is_whole { RequestMatch::Part } else { RequestMatch::No };
        };
        let (text, after) = rest.split_at(end);
        let is_named = max != 512 || text.windows(8).any(|word| word.eq_ignore_ascii_case(b"freeciv-"));
        if end >= max || !is_named || text.iter().any(u8::is_ascii_control) {
            return RequestMatch::No;
        }
        rest = after.get(1..).unwrap_or_default();
    }
    match (is_whole, rest.len()) {
        (true, 12) => RequestMatch::Whole,
        (false, ..12) => RequestMatch::Part,
        _ => RequestMatch::No,
    }
}

/// Returns whether these are the first bytes from a server: PROCESSING_STARTED, then SERVER_INFO or a rejecting reply.
fn is_first_answer(bytes: &[u8]) -> bool {
    let mut start = [0; 16];
    let start = match bytes {
        [0xff, 0xff, _, _, _, _, zlib @ ..] => inflate(zlib, &mut start),
        [high, _, zlib @ ..] if *high >= 0x40 => inflate(zlib, &mut start),
        plain => plain,
    };
    matches!(start, [0, 3, 0, 0, _, 29, ..] | [0, 3, 0, _, _, 5, 0, ..])
}

/// Inflates the first bytes of a zlib stream.
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

/// Returns the packets in a run from the middle of a game, or `None` if the run does not consist of whole packets.
fn whole_packets(run: &[u8]) -> Option<Packets> {
    let mut rest = run;
    let mut packets = Packets::default();
    while let [a, b, c, d, ..] = rest {
        let (length, number) = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
        if length < 4 || number > LAST_TYPE {
            return None;
        }
        rest = rest.get(usize::from(length)..)?;
        let has_frequent = length == 4 && EMPTY.contains(&number);
        packets = packets.and(Packets { count: 1, has_frequent });
    }
    (rest.is_empty() && packets.count > 0).then_some(packets)
}

impl Packets {
    const fn and(self, more: Self) -> Self {
        let count = self.count.saturating_add(more.count);
        Self { count, has_frequent: self.has_frequent || more.has_frequent }
    }
}
