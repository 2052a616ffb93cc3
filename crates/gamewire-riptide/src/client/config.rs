use core::time::Duration;

use crate::Format;
use crate::extension::ExtensionConfig;
use crate::link::{ConnectionSettings, LinkConfig};
use crate::message::Message;
use crate::shared::version::MAX_PAYLOAD_SIZE;

/// Configuration of a client.
#[derive(Debug)]
pub struct ClientConfig {
    /// Format of the server. Only gamewire's server supports both; no server replies to a request in another format.
    pub format: Format,
    /// Timers and limits.
    pub link: LinkConfig,
    /// Initial settings of the connection. [`Client::set_settings`](super::Client::set_settings) replaces them.
    pub settings: ConnectionSettings,
    /// User data of the connect request: see [`Message::create_data`](crate::message::Message::create_data).
    pub connect_data: Option<Message>,
    /// Maximum bytes of the values of a message in either direction (`MaxPayloadSize`); both ends must use the same. A
    /// packet has at most 65535 bytes in any case. Default: 1225.
    pub max_payload_size: usize,
    /// Emit events about the delivery of reliable and notify messages. Default: off.
    pub delivery_events: bool,
    /// Configuration of the extension: ordered delivery, and messages that are too long for a packet. The server must
    /// have the extension, too. Default: off.
    pub extension: Option<ExtensionConfig>,
    /// Maximum time in which a client over datagrams tries to join again after its connection was lost, for example because
    /// the network changed. [`Event::Reconnected`](super::Event::Reconnected) follows, or the event of the loss. Default:
    /// off.
    ///
    /// To the server it is another client with another id, and messages that were not acknowledged are lost. A
    /// connection that the server closed on purpose is not replaced.
    pub reconnect: Option<Duration>,
}

/// The defaults for servers of 2.1 and later.
impl Default for ClientConfig {
    fn default() -> Self {
        Self::new(Format::V21)
    }
}

impl ClientConfig {
    /// Returns the defaults of the C# library.
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
            reconnect: None,
        }
    }
}
