use super::{MessageSendMode, Value};

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
/// * `id` is any constant `u16`: `id = MessageId::Shot as u16`.
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
    /// Message id; `None` for notify messages, which have none.
    const ID: Option<u16>;
    /// Send mode.
    const MODE: MessageSendMode;
}
