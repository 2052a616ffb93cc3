/// How tiles join each other, and which edges of the map meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Topology {
    /// The western edge meets the eastern one.
    pub wraps_x: bool,
    /// The northern edge meets the southern one.
    pub wraps_y: bool,
    /// The grid stands on a corner: rows are half a tile apart.
    pub is_isometric: bool,
    /// Tiles have six neighbours, not eight.
    pub is_hexagonal: bool,
}

impl Topology {
    /// From the bits of a packet: 1 and 2 wrap x and y, 4 is isometric, 8 is hexagonal.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self {
            wraps_x: bits & 1 != 0,
            wraps_y: bits & 2 != 0,
            is_isometric: bits & 4 != 0,
            is_hexagonal: bits & 8 != 0,
        }
    }
}
