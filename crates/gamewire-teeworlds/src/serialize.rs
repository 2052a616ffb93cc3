//! Serialization of types that cannot derive it.

use core::fmt::Display;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::shared::data::{List, Texts};
use crate::shared::field::Field;
use crate::shared::object::IntText;

/// Serializes a value as its text.
pub(crate) fn text<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

impl<'a, F: Field<'a> + Copy + Serialize> Serialize for List<'a, F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<const N: usize> Serialize for Texts<'_, N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<const N: usize> Serialize for IntText<N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0)
    }
}

impl<'de, const N: usize> Deserialize<'de> for IntText<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let ints = Vec::deserialize(from)?;
        let length = ints.len();
        ints.try_into().map(Self).map_err(|_| D::Error::invalid_length(length, &"the integers of a text"))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;
    use std::time::Duration;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::browse::{self, InfoFormat};
    use crate::client::{self, MapInfo, MapRefusal};
    use crate::model::world::{Pickup, PickupKind, Player};
    use crate::model::{Audience, ClientId, ClientMessage, Input, ServerInfo, ServerMessage, World};
    use crate::server;
    use crate::shared::pack::Text;
    use crate::v07::object::{DeClientInfo, Object};
    use crate::{CloseReason, Dialect};

    fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value, "{json}");
    }

    #[test]
    fn owned_types_round_trip() {
        let address = "[2001:db8::1]:8303".parse().unwrap();
        let (id, name) = (ClientId(3), "zw\u{f6}lf".into());
        round_trips(&client::Event::Connected { dialect: Dialect::Tken });
        round_trips(&client::Event::Chat { from: None, audience: Audience::Team, name: None, text: name });
        let map = MapInfo { name: "dm1".into(), crc: 1, size: 2, sha256: Some([7; 32]), url: None };
        round_trips(&client::Event::MapNeeded(map));
        round_trips(&client::Event::MapRefused(MapRefusal::Size(-1)));
        round_trips(&client::Event::Closed(CloseReason::TooWeak { after: Duration::from_secs(10) }));
        round_trips(&server::Event::Connected { id, address, dialect: Dialect::V07 });
        let (format, round_trip) = (InfoFormat::Extended, Duration::from_millis(20));
        let info = ServerInfo { name: [0xff].as_slice().into(), ..ServerInfo::default() };
        round_trips(&browse::Event::Answer { address, format, info, round_trip });
        let pickups = vec![Pickup { id: 1, x: 2, y: 3, kind: PickupKind::Ninja }];
        round_trips(&World { players: vec![Player::new(id)], pickups, ..World::default() });
        round_trips(&Input { direction: -1, jump: true, ..Input::default() });
        let name = IntText::new("nameless tee");
        round_trips(&Object::DeClientInfo(DeClientInfo { name, ..DeClientInfo::default() }));
    }

    #[test]
    fn borrowed_types_are_serialized() {
        let motd = serde_json::to_string(&ServerMessage::Motd(Text::new("a"))).unwrap();
        assert_eq!(motd, r#"{"Motd":{"bytes":[97],"sanitize":"Strict"}}"#);
        assert_eq!(serde_json::to_string(&ClientMessage::Ready).unwrap(), r#""Ready""#);
        let error = Dialect::V06.decode_server_message(&[]).unwrap_err();
        let event = serde_json::to_string(&client::Event::Undecodable(error)).unwrap();
        assert_eq!(event, format!(r#"{{"Undecodable":"{error}"}}"#));
    }
}
