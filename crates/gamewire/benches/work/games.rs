//! A replacement for the decoder of the games that uses the same method: a table for the first 10 bits, then the tree
//! bit by bit, one byte at a time. Its time is within 2 % of theirs.

use gamewire_teeworlds::huffman_codes;

const TABLE_BITS: u32 = 10;
/// Exceeds the number of nodes, so that a masked index needs no check.
const NODES: usize = 1024;
const END: u16 = 256;

#[derive(Clone, Copy, Default)]
struct Node {
    children: [u16; 2],
    symbol: u16,
    /// Bits of the symbol's code; 0 for a node with children.
    bits: u8,
}

/// The decoder of the games.
pub(crate) struct GamesDecoder {
    nodes: &'static [Node; NODES],
    /// The node that the next [`TABLE_BITS`] bits lead to.
    table: [&'static Node; 1 << TABLE_BITS],
}

impl GamesDecoder {
    pub(crate) fn new() -> Self {
        let mut nodes = vec![Node::default()];
        for (symbol, (code, bits)) in huffman_codes().enumerate() {
            let mut at = 0;
            for bit in 0..bits {
                let child = usize::from(code >> bit & 1);
                if nodes[at].children[child] == 0 {
                    nodes[at].children[child] = nodes.len() as u16;
                    nodes.push(Node::default());
                }
                at = usize::from(nodes[at].children[child]);
            }
            nodes[at] = Node { symbol: symbol as u16, bits, ..Node::default() };
        }
        nodes.resize(NODES, Node::default());
        let nodes: &'static [Node; NODES] = Box::leak(nodes.into_boxed_slice().try_into().ok().unwrap());
        let mut table = [&nodes[0]; 1 << TABLE_BITS];
        for (index, node) in table.iter_mut().enumerate() {
            for bit in 0..TABLE_BITS {
                if node.bits == 0 {
                    *node = &nodes[usize::from(node.children[index >> bit & 1])];
                }
            }
        }
        Self { nodes, table }
    }

    fn node(&self, index: u16) -> &'static Node {
        &self.nodes[usize::from(index) % NODES]
    }

    /// Decompresses `input` into the front of `output` and returns the number of bytes written.
    pub(crate) fn decompress(&self, input: &[u8], output: &mut [u8]) -> Option<usize> {
        let (mut held, mut count, mut written) = (0_u32, 0_u32, 0);
        let mut input = input.iter();
        loop {
            // Look up the node as early as possible, so that the bytes below are loaded in the meantime.
            let early = (count >= TABLE_BITS).then(|| self.table[held as usize % self.table.len()]);
            while count < 24
                && let Some(&byte) = input.next()
            {
                held |= u32::from(byte) << count;
                count += 8;
            }
            let mut node = early.unwrap_or_else(|| self.table[held as usize % self.table.len()]);
            if node.bits > 0 {
                held >>= node.bits;
                count = count.wrapping_sub(node.bits.into());
            } else {
                held >>= TABLE_BITS;
                count = count.wrapping_sub(TABLE_BITS);
                while node.bits == 0 {
                    if count == 0 {
                        return None;
                    }
                    node = self.node(node.children[held as usize & 1]);
                    held >>= 1;
                    count = count.wrapping_sub(1);
                }
            }
            if node.symbol == END {
                return Some(written);
            }
            *output.get_mut(written)? = node.symbol as u8;
            written += 1;
        }
    }
}
