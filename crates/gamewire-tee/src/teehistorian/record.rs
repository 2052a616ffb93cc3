/// Maximum number of players of a file.
pub const MAX_PLAYERS: usize = 128;

/// A record of a teehistorian file. Differences to former records are added already.
///
/// Strings are the bytes before their zero byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// A tee appears.
    PlayerNew {
        /// The player.
        player: usize,
        /// Position to the right, in units of 1/32 tile.
        x: i32,
        /// Position downwards, in units of 1/32 tile.
        y: i32,
    },
    /// A tee has another position than after the tick before.
    PlayerMoved {
        /// The player.
        player: usize,
        /// Position to the right, in units of 1/32 tile.
        x: i32,
        /// Position downwards, in units of 1/32 tile.
        y: i32,
    },
    /// A tee is gone.
    PlayerGone {
        /// The player.
        player: usize,
    },
    /// The input of a player for the next tick, and for those after it until there is another one.
    Input {
        /// The player.
        player: usize,
        /// The integers of the input object.
        input: [i32; 10],
    },
    /// A game message that a player sent.
    Message {
        /// The player.
        player: usize,
        /// The message from its id on.
        bytes: &'a [u8],
    },
    /// A player connects.
    Join {
        /// The player.
        player: usize,
    },
    /// A player leaves.
    Drop {
        /// The player.
        player: usize,
        /// The reason.
        reason: &'a [u8],
    },
    /// A command of the console.
    Command {
        /// The player; negative if the server itself executes the command.
        player: i32,
        /// Flags of the command.
        flags: i32,
        /// Name of the command.
        name: &'a [u8],
        /// The arguments, each with its zero byte.
        arguments: &'a [u8],
    },
    /// Ticks pass in which no tee has another position.
    TickSkip {
        /// Number of these ticks. The next one has the tick of the entry.
        ticks: i32,
    },
    /// An extension, which is identified by a UUID.
    Extension {
        /// The UUID.
        uuid: [u8; 16],
        /// The data.
        data: &'a [u8],
    },
    /// The end of the recording.
    Finish,
}
