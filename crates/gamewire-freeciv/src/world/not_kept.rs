/// The server packets that a world ignores, with reasons.
///
/// Every other packet from a server changes a [`World`](super::World), or is in [`REPORTED_ONLY`].
pub const NOT_KEPT: &[(&str, &str)] = &[
    ("PACKET_PROCESSING_STARTED", "the session matches requests and answers with it"),
    ("PACKET_PROCESSING_FINISHED", "the session matches requests and answers with it"),
    ("PACKET_SERVER_SHUTDOWN", "the connection closes after it"),
    ("PACKET_AUTHENTICATION_REQ", "it is a part of the login"),
    ("PACKET_CONN_PING", "the session answers it"),
    ("PACKET_SINGLE_WANT_HACK_REPLY", "the packet of the connection has the new access level"),
    ("PACKET_SYNC_SERIAL_REPLY", "it repeats a number that the client sent"),
    ("PACKET_UNIT_ACTION_ANSWER", ANSWER),
    ("PACKET_UNIT_ACTIONS", ANSWER),
    ("PACKET_CITY_NAME_SUGGESTION_INFO", ANSWER),
    ("PACKET_EDIT_STARTPOS", EDITOR),
    ("PACKET_EDIT_STARTPOS_FULL", EDITOR),
    ("PACKET_EDIT_OBJECT_CREATED", EDITOR),
    ("PACKET_EDIT_FOGOFWAR_STATE", EDITOR),
    ("PACKET_PLAY_MUSIC", SCREEN),
    ("PACKET_POPUP_IMAGE", SCREEN),
];

/// The server packets that a world reports as a [`Change`](super::Change) without changing itself, with reasons.
pub const REPORTED_ONLY: &[(&str, &str)] = &[
    ("PACKET_CHAT_MSG", "a text is news and has no state; that of a new year also shows that the game runs"),
    ("PACKET_EARLY_CHAT_MSG", NEWS),
    ("PACKET_CONNECT_MSG", NEWS),
    ("PACKET_NUKE_TILE_INFO", "packets of the destroyed units and of the changed cities and tiles follow"),
];

const NEWS: &str = "a text is news and has no state";
const ANSWER: &str = "it answers a question of this client, and is in the reply to that order";
const EDITOR: &str = "only clients in the edit mode receive it";
const SCREEN: &str = "it only shows or plays something";
