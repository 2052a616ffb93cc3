use crate::Format;
use crate::extension::ExtensionConfig;
use crate::link::{ConnectionSettings, LinkConfig};
use crate::message::Message;
use crate::shared::version::MAX_PAYLOAD_SIZE;

/// How a client is to connect.
#[derive(Debug)]
pub struct ClientConfig {
    /// The format that the server speaks. No server speaks both but gamewire's, and none answers to
    /// the other one.
    pub format: Format,
    /// Timers and limits.
    pub link: LinkConfig,
    /// When the connection counts as lost. [`Client::set_settings`](super::Client::set_settings)
    /// changes it later.
    pub settings: ConnectionSettings,
    /// What the server is told with the question for a connection:
    /// [`Message::create_data`](crate::message::Message::create_data).
    pub connect_data: Option<Message>,
    /// How many bytes the values of a message may take, either way: 1225. The server must have the
    /// same (`MaxPayloadSize`). A packet has at most 65535 bytes, whatever this is.
    pub max_payload_size: usize,
    /// Whether there are events of what became of reliable and notify messages. Off.
    pub delivery_events: bool,
    /// Ordered delivery and messages over the limit of a packet, with servers that have this too.
    /// Off.
    pub extension: Option<ExtensionConfig>,
}

impl ClientConfig {
    /// What the original's client of that format has.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self {
            format,
            link: match format {
                Format::V20 => LinkConfig::v20(),
                Format::V21 => LinkConfig::v21(),
            },
            settings: ConnectionSettings::default(),
            connect_data: None,
            max_payload_size: MAX_PAYLOAD_SIZE,
            delivery_events: false,
            extension: None,
        }
    }
}
