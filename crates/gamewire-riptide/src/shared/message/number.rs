/// A number of fixed width: little-endian in both formats, two's complement, IEEE 754.
pub trait Number: Copy {
    /// Number of bits.
    const BITS: usize;
    /// Expected value in errors.
    const EXPECTED: &'static str;

    /// Converts the lowest bits of `bits` to the number.
    fn from_bits(bits: u64) -> Self;

    /// Converts the number to the lowest bits of an integer.
    fn to_bits(self) -> u64;

    /// Returns an array of bytes as bytes; `None` for other numbers.
    fn as_bytes(_: &[Self]) -> Option<&[u8]> {
        None
    }

    /// Returns a mutable array of bytes as bytes; `None` for other numbers.
    fn as_bytes_mut(_: &mut [Self]) -> Option<&mut [u8]> {
        None
    }
}

macro_rules! numbers {
    ($($number:ty: $bytes:literal $expected:literal $({ $($more:tt)* })?)+) => {$(
        impl Number for $number {
            const BITS: usize = 8 * $bytes;
            const EXPECTED: &'static str = $expected;

            #[inline]
            fn from_bits(bits: u64) -> Self {
                let mut bytes = [0; $bytes];
                for (to, from) in bytes.iter_mut().zip(bits.to_le_bytes()) {
                    *to = from;
                }
                Self::from_le_bytes(bytes)
            }

            #[inline]
            fn to_bits(self) -> u64 {
                let mut bits = [0; 8];
                for (to, from) in bits.iter_mut().zip(self.to_le_bytes()) {
                    *to = from;
                }
                u64::from_le_bytes(bits)
            }

            $($($more)*)?
        }
    )+};
}

/// Calls a macro with the type of each number, and its name in the C# library.
macro_rules! for_each_number {
    ($macro:ident) => {
        $macro! {
            "Byte" u8, "SByte" i8, "UShort" u16, "Short" i16, "UInt" u32, "Int" i32, "ULong" u64, "Long" i64,
            "Float" f32, "Double" f64,
        }
    };
}

pub(super) use for_each_number;

numbers! {
    u8: 1 "a byte" {
        #[inline]
        fn as_bytes(bytes: &[Self]) -> Option<&[u8]> {
            Some(bytes)
        }

        #[inline]
        fn as_bytes_mut(bytes: &mut [Self]) -> Option<&mut [u8]> {
            Some(bytes)
        }
    }
    i8: 1 "a signed byte"
    u16: 2 "an unsigned 16-bit number"
    i16: 2 "a 16-bit number"
    u32: 4 "an unsigned 32-bit number"
    i32: 4 "a 32-bit number"
    u64: 8 "an unsigned 64-bit number"
    i64: 8 "a 64-bit number"
    f32: 4 "a 32-bit float"
    f64: 8 "a 64-bit float"
}
