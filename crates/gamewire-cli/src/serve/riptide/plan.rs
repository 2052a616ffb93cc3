use gamewire_riptide::layout::MessageLayouts;

use super::options::RiptideRelay;
use super::relay::Relay;
use crate::end::Failure;
use crate::messages;
use crate::riptide::UserData;

/// The policy of a relay for clients and messages.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) layouts: MessageLayouts,
    pub(super) relay: Relay,
    pub(super) echo: bool,
    /// Connect data that clients must send.
    pub(super) expect: Option<UserData>,
    /// Data for rejected clients.
    pub(super) refuse_with: Option<UserData>,
    /// True if messages are printed.
    pub(super) tells_messages: bool,
}

impl Plan {
    pub(super) fn of(options: &RiptideRelay) -> Result<Self, Failure> {
        let layouts = options.messages.as_deref().map(messages::load).transpose()?.unwrap_or_default();
        let data = |option: &str, text: Option<&String>| {
            text.map(|text| UserData::of_option(option, text, &layouts)).transpose()
        };
        Ok(Self {
            expect: data("--require-data", options.require_data.as_ref())?,
            refuse_with: data("--reject-data", options.reject_data.as_ref())?,
            relay: options.relay.clone(),
            echo: options.echo,
            tells_messages: !options.quiet,
            layouts,
        })
    }
}
