use gamewire_wire::Writer;

use crate::Dialect;
use crate::model::{EncodeError, ServerMessage};

pub(super) const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];

pub(super) fn server_bytes(dialect: Dialect, message: &ServerMessage<'_>) -> Result<Vec<u8>, EncodeError> {
    let mut buffer = [0; 512];
    let mut to = Writer::new(&mut buffer);
    dialect.encode_server_message(message, &mut to)?;
    Ok(to.written().to_vec())
}
