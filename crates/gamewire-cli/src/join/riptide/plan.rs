use gamewire_machine::Role;
use gamewire_riptide::layout::MessageLayouts;

use crate::end::Failure;
use crate::join::for_riptide::RiptideOptions;
use crate::messages;
use crate::riptide::{MessageArg, UserData};

/// The data and messages to send.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) layouts: MessageLayouts,
    /// With the connect request.
    pub(super) data: Option<UserData>,
    /// After the connection is established.
    pub(super) send: Vec<MessageArg>,
}

impl Plan {
    pub(super) fn of(options: &RiptideOptions) -> Result<Self, Failure> {
        let layouts = options.messages.as_deref().map(messages::load).transpose()?.unwrap_or_default();
        let data =
            options.connect_data.as_deref().map(|text| UserData::of_option("--connect-data", text, &layouts));
        let send = options.send.iter().map(|text| {
            MessageArg::parse(text, &layouts, Role::Client)
                .map_err(|error| Failure::Usage(format!("invalid --send: {error}")))
        });
        Ok(Self { data: data.transpose()?, send: send.collect::<Result<_, _>>()?, layouts })
    }
}
