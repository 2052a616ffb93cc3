//! `get_…`: one method for each `Get…` of the C# library.

use gamewire_wire::Result;

use super::{Message, Value};
use crate::versions::by_format;

/// Reads in the format of the message, and advances if that succeeds.
macro_rules! read {
    ($message:ident, |$from:ident| $read:expr) => {{
        let (format, unread) = $message.unread();
        let start = unread.start();
        let (read, position) = by_format!(format, V => {
            let mut $from = unread.reader::<V>();
            ($read, $from.position())
        });
        if read.is_ok() {
            $message.advance(position.saturating_sub(start));
        }
        read
    }};
}

macro_rules! arrays {
    ($($one:literal $get:ident, $many:literal $get_all:ident $get_of:ident $get_into:ident: $value:ty)+) => {$(
        #[doc = concat!("`", $one, "`.")]
        pub fn $get(&mut self) -> Result<$value> {
            self.get_serializable()
        }

        #[doc = concat!("`", $many, "` with a length prefix.")]
        pub fn $get_all(&mut self) -> Result<Vec<$value>> {
            self.get_serializables()
        }

        #[doc = concat!("`", $many, "` of a known length.")]
        pub fn $get_of(&mut self, count: usize) -> Result<Vec<$value>> {
            self.get_serializables_of(count)
        }

        #[doc = concat!("`", $many, "` into a slice.")]
        /// After an error some values may be replaced.
        pub fn $get_into(&mut self, values: &mut [$value]) -> Result<()> {
            self.get_serializables_into(values)
        }
    )+};
}

/// Values are read in order. Arrays allocate memory for received values, not for announced ones.
///
/// # Errors
/// A read fails at the end of the message, for an invalid value, and for a type that the format of the message does not
/// have. A failed read does not advance.
impl Message {
    arrays! {
        "GetByte" get_byte, "GetBytes" get_bytes get_bytes_of get_bytes_into: u8
        "GetSByte" get_sbyte, "GetSBytes" get_sbytes get_sbytes_of get_sbytes_into: i8
        "GetShort" get_short, "GetShorts" get_shorts get_shorts_of get_shorts_into: i16
        "GetUShort" get_ushort, "GetUShorts" get_ushorts get_ushorts_of get_ushorts_into: u16
        "GetInt" get_int, "GetInts" get_ints get_ints_of get_ints_into: i32
        "GetUInt" get_uint, "GetUInts" get_uints get_uints_of get_uints_into: u32
        "GetLong" get_long, "GetLongs" get_longs get_longs_of get_longs_into: i64
        "GetULong" get_ulong, "GetULongs" get_ulongs get_ulongs_of get_ulongs_into: u64
        "GetFloat" get_float, "GetFloats" get_floats get_floats_of get_floats_into: f32
        "GetDouble" get_double, "GetDoubles" get_doubles get_doubles_of get_doubles_into: f64
        "GetBool" get_bool, "GetBools" get_bools get_bools_of get_bools_into: bool
        "GetString" get_string, "GetStrings" get_strings get_strings_of get_strings_into: String
    }

    /// `GetSerializable`: a type of the application, or any other [`Value`].
    pub fn get_serializable<T: Value>(&mut self) -> Result<T> {
        read!(self, |from| from.serializable())
    }

    /// `GetSerializables` with a length prefix.
    pub fn get_serializables<T: Value>(&mut self) -> Result<Vec<T>> {
        self.get_serializable()
    }

    /// `GetSerializables` of a known length.
    pub fn get_serializables_of<T: Value>(&mut self, count: usize) -> Result<Vec<T>> {
        let mut values = Vec::new();
        read!(self, |from| from.serializables_of(count, |value| values.push(value)))?;
        Ok(values)
    }

    /// `GetSerializables` into a slice. After an error some values may be replaced.
    pub fn get_serializables_into<T: Value>(&mut self, values: &mut [T]) -> Result<()> {
        read!(self, |from| from.serializables_into(values))
    }

    /// `GetVarLong`. 2.0 does not support it.
    pub fn get_var_long(&mut self) -> Result<i64> {
        read!(self, |from| from.var_long())
    }

    /// `GetVarULong`. 2.0 does not support it.
    pub fn get_var_ulong(&mut self) -> Result<u64> {
        read!(self, |from| from.var_ulong())
    }

    /// Reads all values as a type of the application, from the first value on and without advancing. Ignores bits after
    /// them, which may be padding.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the values cannot be read as `T`.
    pub fn read_as<T: Value>(&self) -> Result<T> {
        by_format!(self.read_format(), V => self.values().reader::<V>().serializable())
    }

    /// `GetBits`: the next `count` (1 to 64) bits, the first in the lowest bit.
    pub fn get_bits(&mut self, count: usize) -> Result<u64> {
        read!(self, |from| from.bits(count))
    }

    /// `PeekBits`: `count` (1 to 64) bits from bit `at` of the values on, without advancing.
    pub fn peek_bits(&self, count: usize, at: usize) -> Result<u64> {
        by_format!(self.read_format(), V => self.values().reader::<V>().peek_bits(at, count))
    }

    /// `SkipBits`: skips `count` bits.
    pub fn skip_bits(&mut self, count: usize) -> Result<()> {
        read!(self, |from| from.skip_bits(count))
    }
}
