//! Events and schemas survive serialization (feature `serde`).
#![cfg(feature = "serde")]

use core::fmt::Debug;

use gamewire_machine::{Role, StreamId};
use gamewire_riptide::layout::{MessageDefinition, MessageKind, MessageLayouts};
use gamewire_riptide::{
    ClientId, ConnectionId, ConnectionSettings, DisconnectReason, Endpoint, Format, LinkConfig, Message,
    MessageSendMode, client, server,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn comes_back<T: Serialize + DeserializeOwned + Debug>(value: &T) {
    assert_eq!(format!("{:?}", again(value)), format!("{value:?}"));
}

#[test]
fn events_round_trip() {
    let mut message = Message::create(MessageSendMode::Reliable, 300_u16);
    message.add_bool(true).add_string("hello").add_bits(5, 3);
    for format in Format::ALL {
        let mut message = Message::create(MessageSendMode::Reliable, 300_u16);
        message.add_bool(true).add_string("hello");
        let payload = message.payload(format).unwrap();
        let message = Message::received(format, MessageSendMode::Reliable, Some(300), &payload);
        let server::Event::MessageReceived { client, mut message } =
            again(&server::Event::MessageReceived { client: ClientId(3), message })
        else {
            panic!("another event");
        };
        assert_eq!((client, message.format(), message.id()), (ClientId(3), Some(format), Some(300)));
        assert_eq!((message.get_bool(), message.get_string()), (Ok(true), Ok("hello".into())));
    }
    comes_back(&client::Event::MessageReceived { message });
    comes_back(&client::Event::Disconnected {
        reason: DisconnectReason::Other(77),
        data: None,
        exceeded: None,
    });
    let connection = ConnectionId(u64::MAX);
    for from in
        [Endpoint::Udp(([127, 0, 0, 1], 7777).into()), Endpoint::Tcp(StreamId::new(5)), Endpoint::Other(9)]
    {
        let (format, address) = (Format::V20, Some(([0, 0, 0, 0, 0, 0, 0, 1], 1).into()));
        let client = ClientId(1);
        comes_back(&server::Event::ClientConnected { client, connection, from, address, format });
    }
}

#[test]
fn settings_and_schemas_round_trip() {
    comes_back(&LinkConfig::v20());
    comes_back(&ConnectionSettings::default());
    let definition = MessageDefinition::new(MessageKind::Message(10), "shot", ["tick: ushort", "hits: ints"]);
    let definitions = [definition.sent_by(Role::Client)];
    assert_eq!(again(&definitions), definitions);
    let layouts = MessageLayouts::new(&[], &definitions).unwrap();
    let parsed = layouts.parse("shot tick=5 hits=1,-2", Role::Client).unwrap();
    assert_eq!(again(&parsed), parsed);
    assert!(
        serde_json::from_str::<MessageDefinition>(
            r#"{"kind":"Notify","from":"judge","name":"a","fields":[],"doc":""}"#
        )
        .is_err()
    );
}
