use gamewire_wire::Result;

use super::{Reader, Writer};
use crate::shared::version::Version;

/// A value of a message: a number, a string, an array, or a type of the application, which is encoded as its values in
/// order (the C# library's `IMessageSerializable`). `#[derive(Value)]` and `#[derive(Message)]` implement it.
///
/// Numbers, `bool` and `String` are encoded like `AddInt` and similar methods encode them. `Vec<T>` has a length
/// prefix, `[T; N]` has none. `Option<T>` is a bool, followed by the value if there is one.
///
/// ```
/// use gamewire_riptide::{Message, MessageSendMode, Value};
///
/// #[derive(Clone, Debug, PartialEq, Value)]
/// struct Item {
///     kind: Kind,
///     count: u8,
/// }
///
/// #[derive(Clone, Debug, PartialEq, Value)]
/// enum Kind {
///     Coin,
///     Key { doors: Vec<u16> },
/// }
///
/// let bag = [Item { kind: Kind::Key { doors: vec![3, 4] }, count: 1 }, Item { kind: Kind::Coin, count: 20 }];
/// let mut message = Message::create(MessageSendMode::Reliable, 1_u16);
/// message.add_serializables(&bag);
/// assert_eq!(message.get_serializables(), Ok(bag.to_vec()));
/// ```
///
/// The variant of an enum is encoded as a byte, so an enum must have 1 to 256 variants. Unions are not supported:
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Value)]
/// enum Never {}
/// ```
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Value)]
/// enum Wide {
///     Beyond = 256,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Value)]
/// union Either {
///     one: u8,
///     other: i8,
/// }
/// ```
///
/// Attributes belong to the type:
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Value)]
/// struct Inside(#[message(id = 1)] u8);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of messages",
    note = "derive it for types of the application: `#[derive(Value)]`"
)]
pub trait Value: Sized {
    /// Writes the value.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full, or the value cannot be encoded.
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()>;

    /// Reads a value.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end early or are not a valid value.
    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self>;

    /// Writes an array without its length: one value after the other, unless a format packs them.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full, or one value cannot be encoded.
    fn write_array<V: Version>(values: &[Self], to: &mut Writer<'_, V>) -> Result<()> {
        values.iter().try_for_each(|value| value.write(to))
    }

    /// Reads `count` values of an array and passes each to `each`, including the values before an error.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end early or one value is invalid.
    fn read_array<V: Version>(
        count: usize,
        from: &mut Reader<'_, V>,
        mut each: impl FnMut(Self),
    ) -> Result<()> {
        (0..count).try_for_each(|_| Self::read(from).map(&mut each))
    }

    /// Reads an array into `values`, as many values as the slice has. After an error some of them may be replaced.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end early or one value is invalid.
    fn read_into<V: Version>(values: &mut [Self], from: &mut Reader<'_, V>) -> Result<()> {
        let count = values.len();
        let mut targets = values.iter_mut();
        Self::read_array(count, from, |value| {
            if let Some(target) = targets.next() {
                *target = value;
            }
        })
    }

    /// Reads an array of known length.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end early or one value is invalid.
    fn read_fixed<V: Version, const N: usize>(from: &mut Reader<'_, V>) -> Result<[Self; N]> {
        let mut values = [const { None }; N];
        let mut targets = values.iter_mut();
        Self::read_array(N, from, |value| {
            if let Some(target) = targets.next() {
                *target = Some(value);
            }
        })?;
        if values.iter().any(Option::is_none) {
            return Err(from.ended("as many values as the array has"));
        }
        Ok(values.map(|value| value.unwrap_or_else(|| unreachable!("checked above"))))
    }
}

impl<V: Version> Reader<'_, V> {
    /// `GetSerializable`.
    pub fn serializable<T: Value>(&mut self) -> Result<T> {
        self.all_or_nothing(T::read)
    }

    /// `GetSerializables` with a length prefix: passes each value to `each`, including the values before an error, and
    /// returns their number.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the length exceeds the number of unread bits, or one value cannot
    /// be read.
    pub fn serializables<T: Value>(&mut self, each: impl FnMut(T)) -> Result<usize> {
        self.all_or_nothing(|from| {
            let count = from.length()?;
            from.serializables_of(count, each)?;
            Ok(count)
        })
    }

    /// `GetSerializables` of a known length: passes each value to `each`, including the values before an error.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the length exceeds the number of unread bits, or one value cannot
    /// be read.
    pub fn serializables_of<T: Value>(&mut self, count: usize, mut each: impl FnMut(T)) -> Result<()> {
        if count > self.unread_bits() {
            return Err(self.ended("as many values as announced"));
        }
        self.all_or_nothing(|from| T::read_array(count, from, &mut each))
    }

    /// `GetSerializables` into a slice: reads as many values as the slice has. After an error some of them may be
    /// replaced.
    pub fn serializables_into<T: Value>(&mut self, values: &mut [T]) -> Result<()> {
        self.all_or_nothing(|from| T::read_into(values, from))
    }
}

impl<V: Version> Writer<'_, V> {
    /// `AddSerializable`.
    pub fn serializable<T: Value>(&mut self, value: &T) -> Result<()> {
        self.all_or_nothing(|to| value.write(to))
    }

    /// `AddSerializables` with a length prefix.
    pub fn serializables<T: Value>(&mut self, values: &[T]) -> Result<()> {
        self.with_length(values.len(), |to| to.serializables_without_length(values))
    }

    /// `AddSerializables` without a length prefix.
    pub fn serializables_without_length<T: Value>(&mut self, values: &[T]) -> Result<()> {
        self.all_or_nothing(|to| T::write_array(values, to))
    }
}
