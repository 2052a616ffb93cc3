use crate::shared::data::Token;

#[derive(Clone, Debug)]
pub(super) struct Entropy {
    seed: [u8; 32],
    block: u64,
}

impl Entropy {
    pub(super) const fn new(seed: [u8; 32]) -> Self {
        Self { seed, block: 0 }
    }

    pub(super) fn token(&mut self) -> Token {
        self.block = self.block.wrapping_add(1);
        let mix =
            |state: u64, byte: &u8| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        let number = self.seed.iter().chain(&self.block.to_be_bytes()).fold(0xcbf2_9ce4_8422_2325, mix);
        match (number >> 32) as u32 {
            0 | u32::MAX => Token(1),
            number => Token(number),
        }
    }
}
