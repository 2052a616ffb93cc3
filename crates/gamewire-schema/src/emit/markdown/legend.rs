use std::fmt;

use crate::ir::{ArrayDiff, Info, Packet, Protocol};

const DELTA: &str = "\
A packet is sent as its *bitvector*, its keys, and then every other field whose bit is set, in the order of the table.
Bit 0 is the lowest bit of the first byte. What is not sent has the value of the last packet of this type with the same
key, or zero. A *folded* field is a truth value that is its bit: nothing of it follows.
";

const TYPES: &str = "\
Integers are big-endian, in two's complement. Wire types carry their parameter: `string(48)` takes at most 48 bytes with
its NUL, and an `estring` is the same here; `bitvector(3)` is 3 bytes; `ufloat100` is a number times 100 in a uint32,
`sfloat100` in a sint32. `[10]` is ten elements, `[10:count]` as many as the field `count` says and at most ten, `[*]` has
its own length in front. Where `count` is not sent, its remembered value says how many elements are.
";

const NO_DELTA: &str =
    "* `no-delta`: there is no bitvector, all fields are sent in order, and nothing is remembered.";
const INFO: &str =
    "* `is-info`: not sent where the receiver has a value with the same key and no field differs.";
const GAME_INFO: &str = "\
* `is-game-info`: likewise; all that is remembered of it is forgotten when the connection gets another player
  or becomes an observer.";
const FORCE: &str = "* `force`: a sender can be told to send it all the same.";
const END_255: &str = "\
An *array-diff* is sent as pairs of an index in one byte and the element, for every element that changed, and ends with
the byte 255 in place of an index.
";
const END_LENGTH: &str = "\
An *array-diff* is sent as pairs of an index and the element, for every element that changed or is new, and ends with
the number of elements in place of an index. An index takes one byte where the size is at most 255, else two.
";

/// How to read the tables: what this protocol uses and nothing else.
pub(super) fn write_legend(f: &mut fmt::Formatter<'_>, protocol: &Protocol) -> fmt::Result {
    writeln!(f, "\n## How packets are sent\n\n{DELTA}\n{TYPES}")?;
    let has_diff = |form: ArrayDiff| {
        protocol.packets.iter().flat_map(|packet| &packet.fields).any(|field| field.diff == Some(form))
    };
    let has = |wanted: fn(&Packet) -> bool| protocol.packets.iter().any(wanted);
    if has_diff(ArrayDiff::End255) {
        writeln!(f, "{END_255}")?;
    }
    if has_diff(ArrayDiff::EndLength) {
        writeln!(f, "{END_LENGTH}")?;
    }
    let flags = [
        (has(|packet| packet.no_delta), NO_DELTA),
        (has(|packet| packet.info == Info::Info), INFO),
        (has(|packet| packet.info == Info::GameInfo), GAME_INFO),
        (has(|packet| packet.force), FORCE),
    ];
    if flags.iter().any(|(is_used, _)| *is_used) {
        writeln!(f, "Flags of packets:\n")?;
        for (_, what) in flags.iter().filter(|(is_used, _)| *is_used) {
            writeln!(f, "{what}")?;
        }
        writeln!(f)?;
    }
    if !protocol.capabilities.is_empty() {
        writeln!(
            f,
            "Some fields are sent only with or only without a capability that client and server have in common:\n\
             {}. Their bits are those of the variants in the order in which the packet names these.",
            code_list(&protocol.capabilities)
        )?;
    }
    Ok(())
}

pub(super) fn code_list(words: &[impl fmt::Display]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
