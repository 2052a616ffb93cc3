//! The code and its decoding tables, computed at compile time.

#![allow(clippy::indexing_slicing, reason = "evaluated at compile time: a wrong index does not compile")]
#![allow(clippy::arithmetic_side_effects, reason = "evaluated at compile time: an overflow does not compile")]
#![allow(clippy::cast_possible_truncation, reason = "node numbers are below 513, code lengths below 16")]

/// The end symbol.
pub(super) const END: usize = 256;
/// Number of bits of a lookup.
pub(super) const LOOKUP_BITS: u32 = 12;
/// Number of entries of the lookup table.
pub(super) const LOOKUP_SIZE: usize = 1 << LOOKUP_BITS;
/// Length of the longest code in bits, minus the bits of a lookup.
pub(super) const LONG_BITS: u32 = 15 - LOOKUP_BITS;
/// Number of entries for codes longer than a lookup, a power of two.
pub(super) const LONG_SIZE: usize = 1024;
/// Maximum bytes of one entry.
const MAX_ENTRY_BYTES: u32 = 6;

const SYMBOLS: usize = 257;
const NODES: usize = 2 * SYMBOLS - 1;

/// Weight of the byte 0.
const ZERO_WEIGHT: u32 = 1 << 30;
/// Weights of the bytes 1 to 255, as in the C++ sources of Teeworlds 0.6, 0.7 and DDNet. Their last number
/// is unused: the weight of the end symbol is always [`END_WEIGHT`].
const WEIGHTS: [u32; 255] = [
    4545, 2657, 431, 1950, 919, 444, 482, 2244, 617, 838, 542, 715, 1814, 304, 240, 754, 212, 647, 186, 283,
    131, 146, 166, 543, 164, 167, 136, 179, 859, 363, 113, 157, 154, 204, 108, 137, 180, 202, 176, 872, 404,
    168, 134, 151, 111, 113, 109, 120, 126, 129, 100, 41, 20, 16, 22, 18, 18, 17, 19, 16, 37, 13, 21, 362,
    166, 99, 78, 95, 88, 81, 70, 83, 284, 91, 187, 77, 68, 52, 68, 59, 66, 61, 638, 71, 157, 50, 46, 69, 43,
    11, 24, 13, 19, 10, 12, 12, 20, 14, 9, 20, 20, 10, 10, 15, 15, 12, 12, 7, 19, 15, 14, 13, 18, 35, 19, 17,
    14, 8, 5, 15, 17, 9, 15, 14, 18, 8, 10, 2173, 134, 157, 68, 188, 60, 170, 60, 194, 62, 175, 71, 148, 67,
    167, 78, 211, 67, 156, 69, 1674, 90, 174, 53, 147, 89, 181, 51, 174, 63, 163, 80, 167, 94, 128, 122, 223,
    153, 218, 77, 200, 110, 190, 73, 174, 69, 145, 66, 277, 143, 141, 60, 136, 53, 180, 57, 142, 57, 158, 61,
    166, 112, 152, 92, 26, 22, 21, 28, 20, 26, 30, 21, 32, 27, 20, 17, 23, 21, 30, 22, 22, 21, 27, 25, 17,
    27, 23, 18, 39, 26, 15, 21, 12, 18, 18, 27, 20, 18, 15, 19, 11, 17, 33, 12, 18, 15, 19, 18, 16, 26, 17,
    18, 9, 10, 25, 22, 22, 17, 20, 16, 6, 16, 15, 20, 14, 18, 24, 335,
];
/// Weight of the end symbol.
const END_WEIGHT: u32 = 1;

/// The nodes of the tree. A node has two children, or a symbol if `children[0]` is `LEAF`.
type Tree = [[u16; 2]; NODES];
const LEAF: u16 = u16::MAX;
const ROOT: u16 = (NODES - 1) as u16;

/// The codes of the bytes and [`END`] (first bit lowest), with their lengths in bits.
pub(super) static CODES: [Code; SYMBOLS] = codes(&TREE);
/// The decoded bytes for each value of the next [`LOOKUP_BITS`] bits.
pub(super) static LOOKUP: [Entry; LOOKUP_SIZE] = lookup(&TREE);
/// The codes longer than a lookup: for each start of such a code, all values of the next [`LONG_BITS`] bits.
pub(super) static LONG: [LongEntry; LONG_SIZE] = long(&TREE);

static TREE: Tree = tree();

/// The code of one symbol.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) length: u8,
}

/// One entry of the lookup table. The low byte is the number of bits of its codes, so that a shift can use it without a
/// mask. The next byte is the number of its symbols. Up to six symbols follow. If there is no symbol, the index in
/// [`LONG`] of the codes that start with these bits follows instead.
#[derive(Clone, Copy)]
pub(super) struct Entry(u64);

/// A symbol with a code longer than a lookup: the symbol, and in the top 4 bits the number of bits of
/// its code after the lookup.
#[derive(Clone, Copy)]
pub(super) struct LongEntry(u16);

/// Returns bits and number of bits of every symbol.
pub(crate) fn codes_by_symbol() -> impl Iterator<Item = (u16, u8)> {
    CODES.iter().map(|code| (code.bits, code.length))
}

impl LongEntry {
    /// Returns the symbol, which may be [`END`].
    #[inline(always)]
    pub(super) const fn symbol(self) -> u16 {
        self.0 & 0x1ff
    }

    /// Returns the number of bits of its code after the lookup.
    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        (self.0 >> 12) as u32
    }
}

impl Entry {
    /// Returns the decoded bytes, first byte lowest. Bytes after [`Entry::count`] have no meaning.
    #[inline(always)]
    pub(super) const fn bytes(self) -> [u8; 8] {
        (self.0 >> 16).to_le_bytes()
    }

    /// Returns the number of decoded bytes.
    #[inline(always)]
    pub(super) const fn count(self) -> usize {
        (self.0 >> 8 & 7) as usize
    }

    /// Returns the index of its codes in [`LONG`], if the entry has no symbol.
    #[inline(always)]
    pub(super) const fn long(self) -> usize {
        (self.0 >> 16) as usize
    }

    /// Returns the number of bits of the decoded codes.
    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        (self.0 & 63) as u32
    }
}

/// Merges the two lightest nodes until one is left. Among equal weights the newest node is first. The result is the
/// tree that the games build with a repeated stable sort.
const fn tree() -> Tree {
    let mut tree = [[LEAF, 0]; NODES];
    let mut weight = [0_u32; NODES];
    let mut symbol = 0;
    while symbol < SYMBOLS {
        tree[symbol] = [LEAF, symbol as u16];
        weight[symbol] = match symbol {
            0 => ZERO_WEIGHT,
            END => END_WEIGHT,
            _ => WEIGHTS[symbol - 1],
        };
        symbol += 1;
    }
    let mut made = SYMBOLS;
    while made < NODES {
        let first = lightest(&weight, made);
        let first_weight = weight[first];
        weight[first] = 0;
        let second = lightest(&weight, made);
        tree[made] = [first as u16, second as u16];
        weight[made] = first_weight + weight[second];
        weight[second] = 0;
        made += 1;
    }
    tree
}

/// Returns the last of the lightest nodes. Merged nodes have weight 0 and are skipped.
const fn lightest(weight: &[u32; NODES], made: usize) -> usize {
    let mut best = NODES;
    let mut node = made;
    while node > 0 {
        node -= 1;
        if weight[node] != 0 && (best == NODES || weight[node] < weight[best]) {
            best = node;
        }
    }
    best
}

const fn codes(tree: &Tree) -> [Code; SYMBOLS] {
    let mut codes = [Code { bits: 0, length: 0 }; SYMBOLS];
    let mut symbol = 0;
    while symbol < SYMBOLS {
        let mut node = symbol;
        let (mut bits, mut length) = (0_u16, 0_u8);
        while node != ROOT as usize {
            let mut parent = SYMBOLS;
            while tree[parent][0] as usize != node && tree[parent][1] as usize != node {
                parent += 1;
            }
            bits = bits << 1 | (tree[parent][1] as usize == node) as u16;
            length += 1;
            node = parent;
        }
        codes[symbol] = Code { bits, length };
        symbol += 1;
    }
    codes
}

const fn lookup(tree: &Tree) -> [Entry; LOOKUP_SIZE] {
    let mut table = [Entry(0); LOOKUP_SIZE];
    let (mut index, mut long) = (0, 0);
    while index < LOOKUP_SIZE {
        let (mut node, mut used, mut taken) = (ROOT, 0, 0);
        let (mut bytes, mut count) = (0_u64, 0);
        while used < LOOKUP_BITS && count < MAX_ENTRY_BYTES {
            node = tree[node as usize][index >> used & 1];
            used += 1;
            if tree[node as usize][0] == LEAF {
                let symbol = tree[node as usize][1];
                if symbol as usize == END {
                    break;
                }
                bytes |= (symbol as u64) << (8 * count);
                count += 1;
                taken = used;
                node = ROOT;
            }
        }
        if count == 0 {
            bytes = long;
            long += 1 << LONG_BITS;
        }
        table[index] = Entry(bytes << 16 | (count as u64) << 8 | taken as u64);
        index += 1;
    }
    table
}

/// Returns the entries of each lookup without a symbol, in the order of the lookups.
const fn long(tree: &Tree) -> [LongEntry; LONG_SIZE] {
    let mut table = [LongEntry(0); LONG_SIZE];
    let (mut index, mut at) = (0, 0);
    while index < LOOKUP_SIZE {
        if let Some(node) = node_after(tree, index) {
            let mut bits = 0;
            while bits < 1 << LONG_BITS {
                let (mut node, mut used) = (node, 0);
                while tree[node as usize][0] != LEAF {
                    node = tree[node as usize][bits >> used & 1];
                    used += 1;
                }
                table[at] = LongEntry(tree[node as usize][1] | used << 12);
                at += 1;
                bits += 1;
            }
        }
        index += 1;
    }
    table
}

/// Returns the node that the bits of a lookup lead to, if they contain no complete byte.
const fn node_after(tree: &Tree, index: usize) -> Option<u16> {
    let (mut node, mut used) = (ROOT, 0);
    while used < LOOKUP_BITS {
        node = tree[node as usize][index >> used & 1];
        used += 1;
        if tree[node as usize][0] == LEAF && (tree[node as usize][1] as usize) < END {
            return None;
        }
    }
    Some(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_has_the_known_properties() {
        assert_eq!((CODES[0].bits, CODES[0].length), (1, 1));
        assert_eq!((CODES[END].bits, CODES[END].length), (7050, 15));
        assert_eq!(CODES.iter().map(|code| u32::from(code.length)).sum::<u32>(), 2723);
        assert_eq!(CODES.iter().map(|code| code.length).max(), Some(15));
    }

    /// CRC-32 over code (16 bits, little-endian) and length (8 bits) of each symbol.
    #[test]
    fn every_code_equals_that_of_the_games() {
        let mut crc = u32::MAX;
        for byte in CODES.iter().flat_map(|code| [code.bits as u8, (code.bits >> 8) as u8, code.length]) {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        assert_eq!(!crc, 0x5e2e_6cca);
    }
}
