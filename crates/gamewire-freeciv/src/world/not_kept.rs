/// The server packets that a world does not store, with reasons.
///
/// Every other packet from a server changes a [`World`](super::World).
pub const NOT_KEPT: &[(&str, &str)] = &[
    ("PACKET_PROCESSING_STARTED", SESSION),
    ("PACKET_PROCESSING_FINISHED", SESSION),
    ("PACKET_SERVER_SHUTDOWN", SESSION),
    ("PACKET_AUTHENTICATION_REQ", SESSION),
    ("PACKET_CONN_PING", SESSION),
    ("PACKET_FREEZE_CLIENT", SESSION),
    ("PACKET_THAW_CLIENT", SESSION),
    ("PACKET_SINGLE_WANT_HACK_REPLY", SESSION),
    ("PACKET_SYNC_SERIAL_REPLY", SESSION),
    ("PACKET_END_PHASE", "the end of the turn follows"),
    ("PACKET_UNIT_ACTION_ANSWER", ANSWER),
    ("PACKET_UNIT_ACTIONS", ANSWER),
    ("PACKET_CITY_NAME_SUGGESTION_INFO", ANSWER),
    ("PACKET_CITY_SABOTAGE_LIST", ANSWER),
    ("PACKET_INVESTIGATE_STARTED", "it announces packets of the city, which are kept"),
    ("PACKET_INVESTIGATE_FINISHED", "it follows packets of the city, which are kept"),
    ("PACKET_GAME_LOAD", "it is about a command of the operator"),
    ("PACKET_SET_TOPOLOGY", "the map's own packet says the same"),
    ("PACKET_EDIT_STARTPOS", EDITOR),
    ("PACKET_EDIT_STARTPOS_FULL", EDITOR),
    ("PACKET_EDIT_OBJECT_CREATED", EDITOR),
    ("PACKET_EDIT_FOGOFWAR_STATE", EDITOR),
    ("PACKET_PLAY_MUSIC", SCREEN),
    ("PACKET_POPUP_IMAGE", SCREEN),
];

const SESSION: &str = "the session handles it";
const ANSWER: &str = "it answers a question of this client";
const EDITOR: &str = "only the editor of maps shows it";
const SCREEN: &str = "it tells a screen or a speaker what to do";
