//! The rules of the delta protocol, shown by the errors in recorded streams without them.

use super::client::Client;
use super::stream::{Framed, Recorded};

/// Returns the names of the packets that an encoder encodes to other bytes than the server did, and the number of
/// resets.
fn different(recorded: &Recorded, may_forget: bool) -> (Vec<String>, usize) {
    let mut client = Client::new(recorded.capabilities);
    client.may_forget = may_forget;
    let mut different = Vec::new();
    for packet in recorded.packets().0 {
        let (row, body) = client.hear_and_say(&packet);
        if body.as_ref() != Some(&packet.body) {
            different.push(row.name);
        }
    }
    (different, client.resets)
}

#[test]
fn the_server_forgets_the_game_when_the_client_gets_its_player() {
    for name in ["join", "join-level0", "join-nocaps", "game"] {
        let (different, resets) = different(Recorded::named(name), true);
        assert_eq!((different.len(), resets), (0, 1), "{name}");
    }
    println!("{:?}", different(Recorded::named("game"), false));
}

#[test]
fn with_capabilities_that_were_not_agreed_on_the_first_packet_of_the_game_is_too_short() {
    let packets = Recorded::named("join-nocaps").packets().0;
    let mut client = Client::new(Recorded::named("join").capabilities);
    let failed = packets.iter().enumerate().find_map(|(at, packet)| Some((at, client.hear(packet).err()?)));
    let (at, error) = failed.unwrap();
    assert_eq!((at, error.packet.as_str()), (3010, "PACKET_GAME_INFO"), "{error}");
    println!("{error}");
}

#[test]
fn a_rejected_client_knows_no_capabilities_and_needs_none() {
    let mut client = Client::new("");
    let packets: Vec<Framed> = Recorded::named("reject").packets().0;
    let names: Vec<String> = packets.iter().map(|packet| client.hear(packet).unwrap().name).collect();
    assert_eq!(
        names,
        ["PACKET_PROCESSING_STARTED", "PACKET_SERVER_JOIN_REPLY", "PACKET_PROCESSING_FINISHED"]
    );
}
