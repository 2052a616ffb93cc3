use gamewire_wire::CodecError;

use super::{Reader, Writer};
use crate::shared::version::Version;

/// What stands in messages: a number, a string, an array, or a type of the application, which
/// stands there as its values in a row without a mark of its own (the original's
/// `IMessageSerializable`). `#[derive(Value)]` and `#[derive(Message)]` implement it.
///
/// Numbers, `bool` and `String` stand as `AddInt` and its like write them; `Vec<T>` with its
/// length in front, `[T; N]` without; `Option<T>` as a bool and then the value if there is one.
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
/// A byte tells which variant of an enum it is, so that there is one and there are at most 256;
/// unions do not say what they hold:
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
/// Attributes stand on the type:
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Value)]
/// struct Inside(#[message(id = 1)] u8);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not stand in messages",
    note = "for types of the application there is `#[derive(Value)]`"
)]
pub trait Value: Sized {
    /// Writes it.
    ///
    /// # Errors
    /// When there is no room, or it has no form on the wire.
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError>;

    /// Reads it.
    ///
    /// # Errors
    /// When the data end before, or are no such value.
    fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self, CodecError>;

    /// Writes an array without its length: one value after the other, unless a format packs them.
    ///
    /// # Errors
    /// When there is no room, or one has no form on the wire.
    fn write_array<V: Version>(values: &[Self], to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        values.iter().try_for_each(|value| value.write(to))
    }

    /// Reads `count` values of an array and hands them over one after the other, those before an
    /// error too.
    ///
    /// # Errors
    /// When the data end before, or one is no such value.
    fn read_array<V: Version>(
        count: usize,
        from: &mut Reader<'_, V>,
        mut each: impl FnMut(Self),
    ) -> Result<(), CodecError> {
        (0..count).try_for_each(|_| Self::read(from).map(&mut each))
    }

    /// Reads an array into `places`, as many values as there are of them. Some may have been read
    /// before an error.
    ///
    /// # Errors
    /// When the data end before, or one is no such value.
    fn read_into<V: Version>(places: &mut [Self], from: &mut Reader<'_, V>) -> Result<(), CodecError> {
        let count = places.len();
        let mut places = places.iter_mut();
        Self::read_array(count, from, |value| {
            if let Some(place) = places.next() {
                *place = value;
            }
        })
    }

    /// Reads an array whose length is known.
    ///
    /// # Errors
    /// When the data end before, or one is no such value.
    fn read_fixed<V: Version, const N: usize>(from: &mut Reader<'_, V>) -> Result<[Self; N], CodecError> {
        let mut values = [const { None }; N];
        let mut places = values.iter_mut();
        Self::read_array(N, from, |value| {
            if let Some(place) = places.next() {
                *place = Some(value);
            }
        })?;
        if values.iter().any(Option::is_none) {
            return Err(from.ended("as many values as the array has"));
        }
        Ok(values.map(|value| value.unwrap_or_else(|| unreachable!("each is there"))))
    }
}
