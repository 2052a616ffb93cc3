//! `get_…`: one method for each `Get…` of the C# library.

use gamewire_wire::CodecError;

use super::{Message, Value};
use crate::Format;
use crate::shared::message::Reader;
use crate::versions::{V20, V21};

/// Reads in the format of the message, and advances if that succeeds.
macro_rules! read {
    ($message:ident, |$from:ident| $read:expr) => {{
        let (format, unread) = $message.unread();
        let start = unread.start();
        let (read, position) = match format {
            Format::V20 => {
                let mut $from = Reader::<V20>::over(unread);
                ($read, $from.position())
            }
            Format::V21 => {
                let mut $from = Reader::<V21>::over(unread);
                ($read, $from.position())
            }
        };
        if read.is_ok() {
            $message.advance(position.saturating_sub(start));
        }
        read
    }};
}

pub(super) use read;

macro_rules! arrays {
    ($($one:literal $get:ident, $many:literal $get_all:ident $get_of:ident $get_into:ident: $value:ty)+) => {$(
        #[doc = concat!("`", $one, "`.")]
        ///
        /// # Errors
        /// At the end of the message.
        pub fn $get(&mut self) -> Result<$value, CodecError> {
            self.get_serializable()
        }

        #[doc = concat!("`", $many, "` with the length in front.")]
        ///
        /// # Errors
        /// If fewer are left than announced.
        pub fn $get_all(&mut self) -> Result<Vec<$value>, CodecError> {
            self.get_serializables()
        }

        #[doc = concat!("`", $many, "` of a length known beforehand.")]
        ///
        /// # Errors
        /// If fewer are left.
        pub fn $get_of(&mut self, count: usize) -> Result<Vec<$value>, CodecError> {
            self.get_serializables_of(count)
        }

        #[doc = concat!("`", $many, "` into a slice.")]
        ///
        /// # Errors
        /// If fewer are left. Some values may be replaced.
        pub fn $get_into(&mut self, values: &mut [$value]) -> Result<(), CodecError> {
            self.get_serializables_into(values)
        }
    )+};
}

/// A failed read does not advance. Arrays allocate memory for received values, not for announced ones.
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
    ///
    /// # Errors
    /// If the value cannot be read.
    pub fn get_serializable<T: Value>(&mut self) -> Result<T, CodecError> {
        read!(self, |from| from.serializable())
    }

    /// `GetSerializables` with a length prefix.
    ///
    /// # Errors
    /// If fewer are left than announced, or one cannot be read.
    pub fn get_serializables<T: Value>(&mut self) -> Result<Vec<T>, CodecError> {
        self.get_serializable()
    }

    /// `GetSerializables` of a known length.
    ///
    /// # Errors
    /// If fewer are left or one cannot be read.
    pub fn get_serializables_of<T: Value>(&mut self, count: usize) -> Result<Vec<T>, CodecError> {
        let mut values = Vec::new();
        read!(self, |from| from.serializables_of(count, |value| values.push(value)))?;
        Ok(values)
    }

    /// `GetSerializables` into a slice.
    ///
    /// # Errors
    /// If fewer are left or one cannot be read. Some values may be replaced.
    pub fn get_serializables_into<T: Value>(&mut self, values: &mut [T]) -> Result<(), CodecError> {
        read!(self, |from| from.serializables_into(values))
    }

    /// `GetVarLong`. 2.0 does not support it.
    ///
    /// # Errors
    /// At the end of the message, if the number takes more than 64 bits, and in 2.0.
    pub fn get_var_long(&mut self) -> Result<i64, CodecError> {
        read!(self, |from| from.var_long())
    }

    /// `GetVarULong`. 2.0 does not support it.
    ///
    /// # Errors
    /// At the end of the message, if the number takes more than 64 bits, and in 2.0.
    pub fn get_var_ulong(&mut self) -> Result<u64, CodecError> {
        read!(self, |from| from.var_ulong())
    }

    /// Reads all values as a type of the application, from the first value on and without advancing.
    /// Ignores bits after them, which may be padding.
    ///
    /// # Errors
    /// If the values cannot be read as `T`.
    pub fn read_as<T: Value>(&self) -> Result<T, CodecError> {
        let payload = self.values();
        match self.read_format() {
            Format::V20 => payload.reader::<V20>().serializable(),
            Format::V21 => payload.reader::<V21>().serializable(),
        }
    }
}
