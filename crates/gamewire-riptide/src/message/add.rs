//! `add_…`: one method for each `Add…` of the C# library.

use gamewire_wire::{CodecError, Found, Result};

use super::content::without_padding;
use super::{Message, Value};
use crate::Format;
use crate::shared::message::{BYTE_FORMAT_TYPE, Writer};
use crate::shared::payload::Payload;
use crate::versions::V20;

/// Writes a value in both formats.
macro_rules! write {
    ($message:ident, |$to:ident| $written:expr) => {{
        if let Some(drafts) = $message.drafts() {
            drafts.v20.write(|$to: &mut Writer<'_, _>| $written);
            drafts.v21.write(|$to: &mut Writer<'_, _>| $written);
        }
        $message
    }};
}

macro_rules! numbers {
    ($($one:literal $add:ident, $many:literal $add_all:ident $add_bare:ident: $number:ty)+) => {$(
        #[doc = concat!("`", $one, "`.")]
        pub fn $add(&mut self, value: $number) -> &mut Self {
            write!(self, |to| to.number(value))
        }

        #[doc = concat!("`", $many, "` with a length prefix.")]
        pub fn $add_all(&mut self, values: &[$number]) -> &mut Self {
            write!(self, |to| to.array(values))
        }

        #[doc = concat!("`", $many, "` without a length prefix.")]
        pub fn $add_bare(&mut self, values: &[$number]) -> &mut Self {
            write!(self, |to| to.array_without_length(values))
        }
    )+};
}

/// Writes bits for 2.0, where a message is whole bytes.
fn whole_bytes(to: &mut Writer<'_, V20>, payload: Payload<'_>) -> Result<()> {
    let payload = without_padding(payload);
    to.payload(&payload)?;
    to.word(payload.bit_len().next_multiple_of(8).saturating_sub(payload.bit_len()), 0)
}

/// Values are appended. A value that does not fit is dropped, and so are all later values; see [`Message::error`].
impl Message {
    numbers! {
        "AddByte" add_byte, "AddBytes" add_bytes add_bytes_without_length: u8
        "AddSByte" add_sbyte, "AddSBytes" add_sbytes add_sbytes_without_length: i8
        "AddShort" add_short, "AddShorts" add_shorts add_shorts_without_length: i16
        "AddUShort" add_ushort, "AddUShorts" add_ushorts add_ushorts_without_length: u16
        "AddInt" add_int, "AddInts" add_ints add_ints_without_length: i32
        "AddUInt" add_uint, "AddUInts" add_uints add_uints_without_length: u32
        "AddLong" add_long, "AddLongs" add_longs add_longs_without_length: i64
        "AddULong" add_ulong, "AddULongs" add_ulongs add_ulongs_without_length: u64
        "AddFloat" add_float, "AddFloats" add_floats add_floats_without_length: f32
        "AddDouble" add_double, "AddDoubles" add_doubles add_doubles_without_length: f64
    }

    /// `AddBool`.
    pub fn add_bool(&mut self, value: bool) -> &mut Self {
        write!(self, |to| to.bool(value))
    }

    /// `AddBools` with a length prefix.
    pub fn add_bools(&mut self, values: &[bool]) -> &mut Self {
        write!(self, |to| to.bools(values))
    }

    /// `AddBools` without a length prefix.
    pub fn add_bools_without_length(&mut self, values: &[bool]) -> &mut Self {
        write!(self, |to| to.bools_without_length(values))
    }

    /// `AddString`.
    pub fn add_string(&mut self, text: impl AsRef<str>) -> &mut Self {
        let text = text.as_ref();
        write!(self, |to| to.string(text))
    }

    /// `AddStrings` with a length prefix.
    pub fn add_strings<S: AsRef<str>>(&mut self, texts: &[S]) -> &mut Self {
        write!(self, |to| to.strings(texts))
    }

    /// `AddStrings` without a length prefix.
    pub fn add_strings_without_length<S: AsRef<str>>(&mut self, texts: &[S]) -> &mut Self {
        write!(self, |to| to.strings_without_length(texts))
    }

    /// `AddSerializable`: the values of a type of the application, or any other [`Value`].
    pub fn add_serializable<T: Value>(&mut self, value: &T) -> &mut Self {
        write!(self, |to| to.serializable(value))
    }

    /// `AddSerializables` with a length prefix.
    pub fn add_serializables<T: Value>(&mut self, values: &[T]) -> &mut Self {
        write!(self, |to| to.serializables(values))
    }

    /// `AddSerializables` without a length prefix.
    pub fn add_serializables_without_length<T: Value>(&mut self, values: &[T]) -> &mut Self {
        write!(self, |to| to.serializables_without_length(values))
    }

    /// `AddVarLong`: numbers near 0 take fewer bytes. 2.0 does not support it.
    pub fn add_var_long(&mut self, value: i64) -> &mut Self {
        write!(self, |to| to.var_long(value))
    }

    /// `AddVarULong`: small numbers take fewer bytes. 2.0 does not support it.
    pub fn add_var_ulong(&mut self, value: u64) -> &mut Self {
        write!(self, |to| to.var_ulong(value))
    }

    /// `AddBits`: the lowest `count` (1 to 64) of `bits`. 2.0 does not support it.
    pub fn add_bits(&mut self, bits: u64, count: usize) -> &mut Self {
        write!(self, |to| to.bits(count, bits))
    }

    /// `ReserveBits`: appends zeros for [`Message::set_bits`]. Their position is [`Message::written_bits`] before the
    /// call. 2.0 does not support it.
    pub fn reserve_bits(&mut self, count: usize) -> &mut Self {
        write!(self, |to| to.reserve_bits(count).map(drop))
    }

    /// `SetBits`: replaces `count` (1 to 64) written bits, from bit `at` of the values on. 2.0 does not support it.
    pub fn set_bits(&mut self, bits: u64, count: usize, at: usize) -> &mut Self {
        write!(self, |to| to.set_bits(at, count, bits))
    }

    /// `AddMessage`: the unread values of another message. A message written here adds its encoding in
    /// each format. A received message adds the same bits to both; for 2.0 they are padded to whole bytes
    /// (zero bits of an incomplete byte at the end are dropped).
    pub fn add_message(&mut self, other: &Self) -> &mut Self {
        if let Some(drafts) = self.drafts() {
            drafts.v20.write(|to| whole_bytes(to, other.unread_for(Format::V20)?));
            drafts.v21.write(|to| to.payload(&other.unread_for(Format::V21)?));
        }
        self
    }

    /// `AddMessage` with a range: `count` bits of the values of another message, from bit `at` of them on, read or not. 2.0
    /// does not support it.
    pub fn add_message_bits(&mut self, other: &Self, count: usize, at: usize) -> &mut Self {
        if let Some(drafts) = self.drafts() {
            drafts.v20.write(|_| Err(CodecError::new(0, BYTE_FORMAT_TYPE, Found::Bits(count))));
            drafts.v21.write(|to| to.payload(&other.range(count, at)?));
        }
        self
    }

    /// Adds raw bits in both formats; for 2.0 as whole bytes, as [`Message::add_message`] does.
    pub fn add_payload(&mut self, payload: &Payload<'_>) -> &mut Self {
        if let Some(drafts) = self.drafts() {
            drafts.v20.write(|to| whole_bytes(to, *payload));
            drafts.v21.write(|to| to.payload(payload));
        }
        self
    }
}
