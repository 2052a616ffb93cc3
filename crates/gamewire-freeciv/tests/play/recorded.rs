//! Replies to lines of chat, as freeciv-server 3.0.6, 3.1.4 and 3.2.6 send them.

use gamewire_freeciv::number::Event as About;
use gamewire_freeciv::packets::{
    ChatMsg, GameInfo, GameLoad, Packet, ServerSettingInt, VoteNew, VoteRemove, VoteUpdate,
};

/// Part of a reply.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// A message.
    Text(&'static str),
    /// A message about an error that the server logged.
    Error(&'static str),
    /// The packet about a game, which was loaded or not.
    Load(bool),
    /// The state of the game, with its turn.
    Game(i16),
    /// A changed setting.
    Setting,
    /// A new vote.
    NewVote,
    /// A changed vote.
    Vote,
    /// The end of a vote.
    EndOfVote,
}

use Part::{EndOfVote, Error, Game, Load, NewVote, Setting, Text, Vote};

const COULD_NOT_LOAD: &[Part] = &[
    Text("alice: 'load broken'"),
    Error("Error loading savefile './broken.sav': Expected value for x\n  file \"./broken.sav\", line 2"),
    Load(false),
    Text(r##"[c fg="#006400"]/load: Could not load savefile: ./broken.sav[/c]"##),
];

/// The server could not load the second half of a game, and created a new one.
const HALF_LOADED: &[Part] = &[
    Text("alice: 'load half'"),
    Error("End-of-file not in line of its own\n  file \"./half.sav\", line 1722, pos 0"),
    Error("Failure loading savegame!"),
    Game(0),
    Load(true),
];

/// Lines, and the replies to them. The servers of all versions use the same words.
pub(crate) const REPLIES: &[(&str, &[Part])] = &[
    ("/load broken", COULD_NOT_LOAD),
    ("/load half", HALF_LOADED),
    ("/rulesetdir broken", &[Error("Could not open ruleset file \"broken/game.ruleset\"."), Setting]),
    ("/load nothing", &[Text("/load: Cannot find savegame or scenario with the name \"nothing\".")]),
    ("/load ../x", &[Text("/load: Name \"../x\" disallowed for security reasons.")]),
    ("/load again", &[Text("/load: Cannot load a game while another is running.")]),
    ("/load tutorial", &[Text("Alice has been removed from the game."), Load(true)]),
    (
        "/set timeout -9",
        &[Text("alice: 'set timeout -9'"), Text("/set: Value out of range: -9 (min: -1; max: 8639999).")],
    ),
    ("/set nonsense 1", &[Text("alice: 'set nonsense 1'"), Text("/set: Option 'nonsense' not recognized.")]),
    ("/set timeout 20", &[Text("/set: You are not allowed to set timeout values less than 30 seconds.")]),
    ("/set mapseed 5", &[Text("/set: You are not allowed to change the setting 'mapseed'.")]),
    ("/set timeout 30", &[Text("Console: 'timeout' has been set to 30."), Setting]),
    (
        "/set timeout 40",
        &[Text("New vote (number 2) by alice: set timeout 40 (needs 51% in favor)."), NewVote, Vote],
    ),
    ("/vote yes", &[Text("/vote: You voted for \"hard\""), Vote]),
    ("/cancelvote", &[Text("alice has canceled the vote \"set timeout 40\" (number 2)."), EndOfVote]),
    ("/take \"Caesar\"", &[Text("/take: No player by the name of 'Caesar'.")]),
    ("/sing", &[Text("/(unknown): Unknown command '/sing'.  Try '/help'.")]),
    ("/save kept", &[Text("/save: You are not allowed to use this command.")]),
    ("/start", &[Text("/start: Cannot start the game: it is already running.")]),
];

/// Sends the reply to a line of chat. Other lines are repeated, as chat is.
pub(crate) fn reply(line: &[u8], mut send: impl FnMut(Packet<'_>)) {
    let parts = REPLIES.iter().find(|(of, _)| of.as_bytes() == line).map(|(_, parts)| *parts);
    let Some(parts) = parts else {
        let message = line.try_into().unwrap();
        return send((&ChatMsg { message, event: About::CHAT.0, ..ChatMsg::default() }).into());
    };
    for part in parts {
        match *part {
            Text(text) => send((&message(text, About::SETTING)).into()),
            Error(text) => send((&message(text, About::LOG_ERROR)).into()),
            Load(load_successful) => send((&GameLoad { load_successful, ..GameLoad::default() }).into()),
            Game(turn) => send((&GameInfo { turn, ..GameInfo::default() }).into()),
            Setting => send((&ServerSettingInt::default()).into()),
            NewVote => send((&VoteNew { vote_no: 2, ..VoteNew::default() }).into()),
            Vote => send((&VoteUpdate { vote_no: 2, ..VoteUpdate::default() }).into()),
            EndOfVote => send((&VoteRemove { vote_no: 2 }).into()),
        }
    }
}

fn message(text: &str, about: About) -> ChatMsg {
    ChatMsg { message: text.try_into().unwrap(), event: about.0, ..ChatMsg::default() }
}
