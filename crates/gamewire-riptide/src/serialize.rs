//! Serialization of types that cannot derive it (feature `serde`).

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Format;
use crate::message::{Message, MessageSendMode};
use crate::shared::payload::Payload;

/// A message in the format of its sender.
#[derive(Serialize, Deserialize)]
struct MessageData {
    mode: MessageSendMode,
    id: Option<u16>,
    format: Format,
    bits: usize,
    bytes: Vec<u8>,
}

/// Serializes all values, read or not, of a message that is written here in the format of 2.1.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (values, format) = (self.values(), self.read_format());
        let (bits, bytes) = (values.bit_len(), values.to_vec());
        MessageData { mode: self.mode(), id: self.id(), format, bits, bytes }.serialize(serializer)
    }
}

/// Deserializes a message as a received message with all values unread.
impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let MessageData { mode, id, format, bits, bytes } = MessageData::deserialize(deserializer)?;
        Ok(Self::received(format, mode, id, &Payload::with_bits(&bytes, bits)))
    }
}

/// A stream id as its number.
pub(crate) mod stream_id {
    use gamewire_machine::StreamId;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(id: &StreamId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(id.number())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StreamId, D::Error> {
        u64::deserialize(deserializer).map(StreamId::new)
    }
}

/// An optional role as its name.
pub(crate) mod role {
    use gamewire_machine::Role;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(role: &Option<Role>, serializer: S) -> Result<S::Ok, S::Error> {
        role.map(Role::name).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Role>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        let find = |name: String| {
            let role = [Role::Client, Role::Server].into_iter().find(|role| role.name() == name);
            role.ok_or_else(|| D::Error::unknown_variant(&name, &["client", "server"]))
        };
        name.map(find).transpose()
    }
}
