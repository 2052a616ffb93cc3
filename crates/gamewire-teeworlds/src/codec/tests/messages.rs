use gamewire_wire::Writer;

use super::support::{DIALECTS, server_bytes};
use crate::Dialect;
use crate::model::message::{GameInfo, MapId, Profile};
use crate::model::{Audience, ClientId, ClientMessage, EncodeError, Input, ServerMessage, Skin};
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};

fn client_bytes(dialect: Dialect, message: &ClientMessage<'_>) -> Result<Vec<u8>, EncodeError> {
    let mut buffer = [0; 512];
    let mut to = Writer::new(&mut buffer);
    dialect.encode_client_message(message, &mut to)?;
    Ok(to.written().to_vec())
}

#[test]
fn a_message_with_a_number_out_of_its_range_is_an_error() {
    // Emoticon 16, by a server and by a client; a chat line from player 64 of 0.7; a vote of 2.
    let emoticon = Dialect::V06.decode_server_message(&[20, 0, 16]).unwrap_err();
    assert_eq!((emoticon.packet, emoticon.offset), ("emoticon", 2));
    assert!(Dialect::V06.decode_client_message(&[46, 16]).is_err());
    assert!(Dialect::V07.decode_server_message(b"\x06\x01\x80\x01\x40hello\0").is_err());
    assert!(Dialect::V07.decode_server_message(b"\x06\x01\x3f\x40hello\0").is_ok());
    assert!(Dialect::V07.decode_client_message(&[62, 2]).is_err());
    // A bool that is neither 0 nor 1.
    assert!(Dialect::V06.decode_client_message(b"\x22\x02hello\0").is_err());
}

#[test]
fn only_servers_of_0_7_check_inputs() {
    let input = |id: u8| {
        let mut bytes = vec![id, 10, 12, 40];
        bytes.extend([5, 1, 2, 1, 0, 1, 0, 0, 0, 0]);
        bytes
    };
    assert!(matches!(
        Dialect::V06.decode_client_message(&input(33)),
        Ok(ClientMessage::Input { input: Input { direction: 5, jump: true, .. }, .. })
    ));
    assert!(Dialect::V07.decode_client_message(&input(41)).is_err());
}

#[test]
fn values_that_the_peer_would_drop_are_not_encoded() {
    for dialect in DIALECTS {
        assert!(client_bytes(dialect, &ClientMessage::Emoticon(Emoticon(16))).is_err());
        let error = client_bytes(dialect, &ClientMessage::Vote(2)).unwrap_err();
        assert_eq!(error.to_string(), "invalid vote 2 in vote: expected -1 to 1");
        assert!(server_bytes(dialect, &ServerMessage::Motd(Text::new("a\0b"))).is_err());
        let chat = ServerMessage::Chat {
            from: Some(ClientId(200)),
            audience: Audience::All,
            text: Text::new("hello"),
        };
        assert!(server_bytes(dialect, &chat).is_err());
    }
}

/// Values at the ends of ranges and outside of them.
const NUMBERS: [i32; 16] = [i32::MIN, -129, -4, -3, -2, -1, 0, 1, 2, 5, 15, 60, 64, 127, 128, i32::MAX];

#[test]
fn encoded_values_are_in_the_ranges_of_the_decoder() {
    let (id, text) = (|number: i32| ClientId(number.to_le_bytes()[0]), Text::new(""));
    let profile = Profile { name: text, clan: text, country: 0, skin: Skin::default() };
    for (dialect, one) in DIALECTS.iter().flat_map(|dialect| NUMBERS.map(|number| (*dialect, number))) {
        for other in NUMBERS {
            let input = Input {
                direction: one,
                player_flags: other,
                wanted_weapon: one,
                fire: other,
                ..Input::default()
            };
            for message in [
                ClientMessage::SetTeam(Team(one)),
                ClientMessage::Spectate(Some(id(one))),
                ClientMessage::Emoticon(Emoticon(one)),
                ClientMessage::Vote(one),
                ClientMessage::Say { audience: Audience::Whisper(Some(id(one))), text },
                ClientMessage::Input {
                    ack_snapshot: other,
                    intended_tick: one,
                    input,
                    ping_correction: other,
                },
                ClientMessage::StartInfo(Profile { country: one, ..profile }),
                ClientMessage::RequestMapData { piece: Some(one) },
            ] {
                if let Ok(bytes) = client_bytes(dialect, &message) {
                    assert!(dialect.decode_client_message(&bytes).is_ok(), "{dialect:?} {message:?}");
                }
            }
            let (client, team) = (id(one), Team(other));
            for message in [
                ServerMessage::Chat {
                    from: Some(client),
                    audience: Audience::Whisper(Some(id(other))),
                    text,
                },
                ServerMessage::Kill { killer: Some(id(other)), victim: client, weapon: other },
                ServerMessage::Kill { killer: None, victim: client, weapon: one },
                ServerMessage::Emoticon { from: client, emoticon: Emoticon(other) },
                ServerMessage::Team { client, team },
                ServerMessage::ClientInfo { client, local: true, team, profile, silent: true },
                ServerMessage::ClientDrop { client, reason: text },
                ServerMessage::GameInfo(GameInfo {
                    has_teams: true,
                    has_flags: true,
                    is_survival: true,
                    is_race: true,
                    score_limit: one,
                    time_limit: other,
                    num_rounds: one,
                    round: other,
                }),
                ServerMessage::VoteSet { timeout: one, description: text, reason: text },
                ServerMessage::VoteStatus { yes: one, no: other, total: one },
                ServerMessage::InputTiming { intended_tick: one, time_left: other },
            ] {
                if let Ok(bytes) = server_bytes(dialect, &message) {
                    assert!(dialect.decode_server_message(&bytes).is_ok(), "{dialect:?} {message:?}");
                }
            }
        }
    }
}

#[test]
fn a_message_that_a_version_does_not_have_is_an_error() {
    let leave = ServerMessage::ClientDrop { client: ClientId(1), reason: Text::new("bye") };
    assert_eq!(server_bytes(Dialect::V06, &leave), Err(EncodeError::NoMessage { message: "client_drop" }));
    assert!(server_bytes(Dialect::V07, &leave).is_ok());
    let map = MapId { name: Text::new("dm1"), crc: 1, size: 2, sha256: None };
    let map_change = ServerMessage::MapChange { map, chunking: None };
    let error = server_bytes(Dialect::V07, &map_change).unwrap_err();
    assert_eq!(error.to_string(), "cannot encode map_change: this version needs the SHA-256");
    assert!(server_bytes(Dialect::Tken, &map_change).is_ok());
}

#[test]
fn a_message_that_is_not_modelled_has_its_bytes_and_its_fields() {
    // Sv_WeaponPickup of 0.6 and 0.7, and a message with an unknown id.
    for dialect in DIALECTS {
        for content in [b"\x12\x03".as_slice(), b"\xbe\x01\x05hello"] {
            let message = dialect.decode_server_message(content).unwrap();
            assert_eq!(message, ServerMessage::Other(content));
            assert_eq!(server_bytes(dialect, &message).unwrap(), content);
            assert_eq!(dialect.decode_client_message(content), Ok(ClientMessage::Other(content)));
        }
        let fields = format!("{:?}", dialect.decode_wire_message(b"\x12\x03").unwrap());
        assert!(fields.contains("SvWeaponPickup { weapon: Weapon(3) }"), "{fields}");
    }
}

#[test]
fn a_whisper_is_never_sent_to_all() {
    let whisper =
        ClientMessage::Say { audience: Audience::Whisper(Some(ClientId(3))), text: Text::new("psst") };
    assert_eq!(client_bytes(Dialect::V06, &whisper), Err(EncodeError::NoMessage { message: "whisper" }));
    let bytes = client_bytes(Dialect::V07, &whisper).unwrap();
    assert_eq!(Dialect::V07.decode_client_message(&bytes), Ok(whisper));
    // DDNet sends the speaker to the receiver of a whisper, and the receiver to the speaker.
    for (from, to) in [(Some(ClientId(5)), None), (None, Some(ClientId(5)))] {
        let chat = ServerMessage::Chat { from, audience: Audience::Whisper(to), text: Text::new("psst") };
        let bytes = server_bytes(Dialect::Tken, &chat).unwrap();
        assert_eq!(Dialect::Tken.decode_server_message(&bytes), Ok(chat));
    }
}

#[test]
fn messages_of_the_other_role_are_other() {
    for dialect in DIALECTS {
        let ready = client_bytes(dialect, &ClientMessage::Ready).unwrap();
        assert!(matches!(dialect.decode_server_message(&ready), Ok(ServerMessage::Other(_))));
        let motd = server_bytes(dialect, &ServerMessage::Motd(Text::new("welcome"))).unwrap();
        assert!(matches!(dialect.decode_client_message(&motd), Ok(ClientMessage::Other(_))));
        assert_eq!(client_bytes(dialect, &ClientMessage::Ping).map(|bytes| bytes.len()), Ok(1));
    }
}
