//! Golden vectors in `vectors/records`, for implementations in other languages.

use super::support::{START, client_address, from_client, from_server, receive, server_address};
use crate::noise::Initiator;
use crate::random::Random;
use crate::wire::Packet;
use crate::{Client, Key, Server, ServerConfig};

/// A value of the vectors: its name and its bytes.
type Named = (&'static str, Vec<u8>);

const TOKEN: &[u8] = b"player 5";
const PACKETS: [&[u8]; 3] = [&[0x02], &[0x18, 0, 0x10, 0, 0], b"from the new address"];
const CLIENT_SEED: [u8; 32] = [1; 32];
const SERVER_SEED: [u8; 32] = [2; 32];

/// Returns what is random or chosen in the session of the vectors, except for the cookie.
fn inputs() -> Vec<Named> {
    let (mut client, mut server) = (Random::new(CLIENT_SEED), Random::new(SERVER_SEED));
    let nonce = client.array::<8>().to_vec();
    // The secret of the cookies.
    server.bytes();
    let id = server.array::<4>().to_vec();
    vec![
        ("server_key", (0..32).collect()),
        ("token", TOKEN.to_vec()),
        ("nonce", nonce),
        ("client_ephemeral_secret", client.bytes().to_vec()),
        ("connection_id", id),
        ("server_ephemeral_secret", server.bytes().to_vec()),
        ("client_packet_0", PACKETS[0].to_vec()),
        ("server_packet_0", PACKETS[1].to_vec()),
        ("client_packet_1", PACKETS[2].to_vec()),
        ("challenge", server.array::<8>().to_vec()),
        ("new_address", vec![4, 192, 0, 2, 1, 2, 0]),
    ]
}

/// Plays the session. Returns its values, and the cookie.
fn session() -> (Vec<Named>, Vec<u8>) {
    let key = Key::from_bytes(core::array::from_fn(|index| u8::try_from(index).unwrap()));
    let client_key = key.client_key(TOKEN).unwrap();
    let mut steps = vec![("token_secret", client_key.secret().to_vec())];
    let mut server = Server::new(key, ServerConfig::default(), SERVER_SEED);
    let mut client = Client::new(client_key.clone(), [server_address()], CLIENT_SEED, START);
    for (sent, reply) in [("request", "retry"), ("initiation", "response")] {
        let datagram = from_client(&mut client, START).remove(0);
        server.handle_datagram(START, client_address(1), &datagram).unwrap();
        steps.push((sent, datagram));
        let (_, datagram) = from_server(&mut server).remove(0);
        client.handle_datagram(START, server_address(), &datagram).unwrap();
        steps.push((reply, datagram));
    }
    let Ok(Packet::Retry { cookie, .. }) = Packet::parse(&steps[2].1) else { panic!("a retry") };
    let Ok(Packet::Response { handshake, .. }) = Packet::parse(&steps[4].1) else { panic!("a response") };
    let mut random = Random::new(CLIENT_SEED);
    random.bytes();
    let (initiator, _) = Initiator::new(client_key.secret(), random.bytes());
    let (_, keys) = initiator.finish(handshake).unwrap();
    steps.push(("client_record_key", keys.client.to_vec()));
    steps.push(("server_record_key", keys.server.to_vec()));

    let mut datagram = Vec::new();
    client.seal(PACKETS[0], &mut datagram).unwrap();
    let (session, _) = receive(&mut server, START, client_address(1), &datagram).unwrap();
    steps.push(("client_record_0", datagram.clone()));
    server.seal(session, PACKETS[1], &mut datagram).unwrap();
    client.handle_datagram(START, server_address(), &datagram).unwrap();
    steps.push(("server_record_0", datagram.clone()));
    client.seal(PACKETS[2], &mut datagram).unwrap();
    receive(&mut server, START, client_address(2), &datagram).unwrap();
    steps.push(("client_record_1", datagram));
    let (_, challenge) = from_server(&mut server).remove(0);
    client.handle_datagram(START, server_address(), &challenge).unwrap();
    let answer = from_client(&mut client, START).remove(0);
    server.handle_datagram(START, client_address(2), &answer).unwrap();
    let (_, moved) = from_server(&mut server).remove(0);
    steps.extend([("challenge", challenge), ("answer", answer), ("moved", moved)]);
    (steps, cookie.to_vec())
}

#[test]
fn a_session_has_the_bytes_of_the_golden_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/records/session.json");
    let text = std::fs::read_to_string(path).unwrap();
    let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (steps, cookie) = session();
    let mut inputs = inputs();
    inputs.push(("cookie", cookie));
    for (part, values) in [("inputs", inputs), ("session", steps)] {
        assert_eq!(vectors[part].as_object().unwrap().len(), values.len(), "{part}");
        for (name, bytes) in values {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(vectors[part][name], hex, "{part}.{name}");
        }
    }
}
