use gamewire_wire::{CodecError, Found, Result};

use super::{Message, MessageSendMode, Value};
use crate::Format;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::versions::by_format;

/// A type of the application that is a message. `#[derive(Message)]` implements it and [`Value`]:
///
/// ```
/// use gamewire_riptide::{Format, Message, MessageSendMode, MessageType, Sendable};
///
/// #[derive(Debug, PartialEq, Message)]
/// #[message(id = 4, mode = "unreliable")]
/// struct Shot {
///     tick: u32,
///     direction: [f32; 2],
///     weapon: Option<u8>,
/// }
///
/// let shot = Shot { tick: 9, direction: [0.5, 1.0], weapon: None };
/// assert_eq!((Shot::ID, Shot::MODE), (Some(4), MessageSendMode::Unreliable));
///
/// let mut scratch = [0; 100];
/// let payload = shot.payload(Format::V20, &mut scratch)?;
/// let received = Message::received(Format::V20, Shot::MODE, Shot::ID, &payload);
/// assert_eq!(received.read_as(), Ok(shot));
/// # Ok::<(), gamewire_wire::CodecError>(())
/// ```
///
/// * `id` is any constant `u16`, or a variant of an enum: `id = ToServer::Shot`. [`MessageId`](gamewire_derive::MessageId)
///   converts such an enum.
/// * `mode` is `"reliable"` (the default), `"unreliable"` or `"notify"`, which has no id.
/// * `crate` is the path of this crate if it is not `gamewire_riptide`: `crate = "my::riptide"`. (The
///   derives of `gamewire::riptide` use that path.)
/// * An enum starts with the number of its variant as a byte: from 0, or the discriminant (`Team = 3`).
///
/// Mistakes are compile errors. A field that is not a [`Value`]:
///
/// ```compile_fail,E0277
/// #[derive(gamewire_riptide::Message)]
/// #[message(id = 1)]
/// struct Wait(std::time::Duration);
/// ```
///
/// A message without an id, or an id that is too large:
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Message)]
/// struct Lost;
/// ```
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Message)]
/// #[message(id = 70_000)]
/// struct Far;
/// ```
///
/// ```compile_fail,E0080
/// enum ToServer { Far = 70_000 }
///
/// #[derive(gamewire_riptide::Message)]
/// #[message(id = ToServer::Far)]
/// struct Far;
/// ```
///
/// A notify message with an id, an unknown mode, an unknown attribute, or a duplicate attribute:
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Message)]
/// #[message(id = 1, mode = "notify")]
/// struct Seen;
/// ```
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Message)]
/// #[message(id = 1, mode = "ordered")]
/// struct Queue;
/// ```
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Message)]
/// #[message(id = 1, channel = 2)]
/// struct Sorted;
/// ```
///
/// ```compile_fail
/// #[derive(gamewire_riptide::Message)]
/// #[message(id = 1)]
/// #[message(id = 2)]
/// struct Twins;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message",
    note = "derive it for types of the application: `#[derive(Message)]`"
)]
pub trait MessageType: Value {
    /// Message id; `None` for notify messages.
    const ID: Option<u16>;
    /// Send mode.
    const MODE: MessageSendMode;
}

/// A value that a client or server can send: a [`Message`] or a [`MessageType`].
pub trait Sendable {
    /// Returns the send mode.
    fn mode(&self) -> MessageSendMode;

    /// Returns the message id. Notify messages have no id. Neither has user data of a handshake, so it
    /// cannot be sent as a message.
    fn id(&self) -> Option<u16>;

    /// Returns the values in a format: either the values of the message itself, or values encoded to `scratch`, which
    /// has the maximum size of a payload. The caller checks with [`max_payload_bits`] that they fit after the header.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the format does not support a value, or `scratch` is full.
    ///
    /// [`max_payload_bits`]: super::max_payload_bits
    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>>;
}

impl Sendable for Message {
    fn mode(&self) -> MessageSendMode {
        self.mode()
    }

    fn id(&self) -> Option<u16> {
        self.id()
    }

    fn payload<'a>(&'a self, format: Format, _: &'a mut [u8]) -> Result<Payload<'a>> {
        self.payload(format)
    }
}

impl<T: MessageType> Sendable for T {
    fn mode(&self) -> MessageSendMode {
        T::MODE
    }

    fn id(&self) -> Option<u16> {
        T::ID
    }

    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>> {
        if format == Format::V20 && T::MODE == MessageSendMode::Notify {
            return Err(no_notify());
        }
        let bits = by_format!(format, V => {
            let mut writer = Writer::<V>::with_max_size(scratch, usize::MAX);
            self.write(&mut writer)?;
            writer.written_bits()
        });
        Ok(Payload::with_bits(scratch, bits))
    }
}

/// Returns the error of a notify message in 2.0.
#[cold]
pub(super) const fn no_notify() -> CodecError {
    CodecError::new(0, "a format with notify messages", Found::End)
}
