use gamewire_riptide::command::UserData;
use gamewire_riptide::layout::MessageLayouts;

use crate::exit_status::Failure;

/// Parses `text`, the value of `option`, as data without an id.
pub(crate) fn user_data(option: &str, text: &str, layouts: &MessageLayouts) -> Result<UserData, Failure> {
    UserData::parse(text, layouts).map_err(|error| Failure::Usage(format!("invalid {option}: {error}")))
}
