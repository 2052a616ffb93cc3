use crate::shared::definition::Definition;
use crate::shared::frame::FRAME_DEFINITION;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// Every header of both versions as data, and the prefix of TCP frames. What both versions have
/// under one name comes once for each.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    [FRAME_DEFINITION]
        .into_iter()
        .chain(V20::DEFINITIONS.iter().copied())
        .chain(V21::DEFINITIONS.iter().copied())
}
