use super::{MessageSendMode, Value};

/// A type of the application that is a message of its own. `#[derive(Message)]` implements it,
/// and [`Value`] with it:
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
/// * `crate` is where this crate is found if not as `gamewire_riptide`: `crate = "my::riptide"`.
///   (What `gamewire::riptide` exports looks for itself there.)
/// * Of an enum, the number of the variant comes first, as a byte: from 0, or what the enum says
///   (`Team = 3`).
///
/// What is wrong is an error when it is compiled. A field that is no value:
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
/// A notify message with an id, an unknown mode, an unknown word, or the same word twice:
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
    message = "`{Self}` is no message",
    note = "for types of the application there is `#[derive(Message)]`"
)]
pub trait MessageType: Value {
    /// The id that tells its receiver what it is; `None` for notify messages, which have none.
    const ID: Option<u16>;
    /// How it is sent.
    const MODE: MessageSendMode;
}
