//! Sequences that reach all states of a client and a server, as a start for a fuzzer.

use gamewire_sim::contract::Harness;

/// The bytes of an operation in the encoding of `sequence.rs`.
type Bytes = Vec<u8>;

const PEER: u8 = 0;
const STRANGER: u8 = 1;
/// Added to the sender: send a datagram that this sender has sent before.
const REPLAY: u8 = 128;

fn operation(kind: u8, which: u8, number: u16) -> Bytes {
    let [high, low] = number.to_be_bytes();
    vec![kind, which, high, low]
}

fn talk(millis: u16) -> Bytes {
    operation(0, 0, millis)
}

fn command(number: usize, argument: u16) -> Bytes {
    operation(9, number as u8, argument)
}

/// Returns the receipt of a known datagram: unchanged, scrambled, cut or extended.
fn hear(sender: u8, number: u16, change: u16) -> Bytes {
    operation(8, sender, number << 8 | change)
}

/// Returns named sequences. The first three commands of the subject must send a message.
pub fn all<S: Harness>() -> Vec<(String, Bytes)> {
    let named = sequences::<S>();
    let of_both = (0_u8..2).flat_map(|format| named.iter().map(move |sequence| (format, sequence)));
    let both = of_both.enumerate().map(|(number, (format, (name, bytes)))| {
        let seed = match name.as_str() {
            // With this seed, a client has no server that sends packets.
            "hears-known-first" => 4,
            // With this seed, a server lets its application decide on connect requests.
            "accept" | "reject" => 3,
            // With this seed, a server has the extension, for ordered messages and repeated datagrams.
            "ordered" | "hears-again-changed" => 34,
            _ => 1 + number as u8 % 2,
        };
        let version = ["2.0", "2.1"][usize::from(format)];
        (format!("{version}-{name}"), [&[format | seed << 1], bytes.as_slice()].concat())
    });
    both.collect()
}

fn sequences<S: Harness>() -> Vec<(String, Bytes)> {
    let chat = || (0..3).flat_map(|mode| [command(mode, 300), command(mode, 7)]).flatten();
    let known = |sender, changes| (0..24).flat_map(move |number| hear(sender, number, number * 4 + changes));
    let changed = |sender| (0..12).flat_map(move |number| hear(sender, number, number * 4 + number % 4));
    let silence = |kind, number| operation(kind, 0, number);
    let named: Vec<(&str, Vec<u8>)> = vec![
        ("connects", talk(3_000)),
        (
            "chats",
            talk(500).into_iter().chain(chat()).chain(talk(300)).chain(chat()).chain(talk(2_000)).collect(),
        ),
        ("hears-known", talk(500).into_iter().chain(known(PEER, 0)).chain(talk(500)).collect()),
        ("hears-known-first", known(PEER, 0).chain(talk(500)).collect()),
        ("hears-changed", talk(500).into_iter().chain(changed(PEER)).chain(talk(500)).collect()),
        ("hears-strangers", talk(500).into_iter().chain(known(STRANGER, 0)).chain(talk(500)).collect()),
        ("hears-again", {
            let again = known(PEER + REPLAY, 0);
            talk(500).into_iter().chain(chat()).chain(talk(300)).chain(again).chain(talk(300)).collect()
        }),
        ("hears-again-changed", {
            let again = changed(PEER + REPLAY);
            talk(500).into_iter().chain(chat()).chain(talk(300)).chain(again).chain(talk(300)).collect()
        }),
        ("hears-bytes", [talk(500), operation(7, PEER, 4), vec![1, 2, 3, 4], talk(300)].concat()),
        ("loses", talk(500).into_iter().chain(chat()).chain(silence(1, 1_500)).chain(talk(2_000)).collect()),
        ("falls-silent", talk(500).into_iter().chain(silence(1, 9_999)).chain(talk(500)).collect()),
        ("jumps", [talk(500), silence(2, 3_600), talk(500), silence(3, 60_000), talk(500)].concat()),
        ("polls", {
            let polls = [silence(4, 0), silence(5, 0), silence(6, 0)].concat();
            chat().chain(polls.clone()).chain(talk(500)).chain(chat()).chain(polls).collect()
        }),
    ];
    let mut named: Vec<_> = named.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
    named.extend(S::commands().iter().enumerate().map(|(number, (name, _))| {
        // Some commands accept only a few numbers.
        let given = (0..4).flat_map(|argument| [command(number, argument), talk(200)]).flatten();
        let again = [command(number, 16), talk(500)].concat();
        (name.replace(' ', "-"), talk(500).into_iter().chain(given).chain(again).collect())
    }));
    named
}
