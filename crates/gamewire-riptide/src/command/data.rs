use gamewire_wire::CodecError;

use super::error::CommandError;
use crate::layout::{MessageLayouts, Values};
use crate::message::Message;
use crate::raw::{MAX_PAYLOAD_SIZE, Payload, V20, V21, Version, Writer};
use crate::types::Format;

/// Size in bytes of the buffer in which the size of too many values is measured.
const MAX_MEASURED: usize = 1 << 20;

/// Data of a connect request, a rejection or a kick: values without an id.
#[derive(Clone, Debug, PartialEq)]
pub struct UserData(Values);

impl UserData {
    /// Parses the values of `text`.
    ///
    /// # Errors
    /// [`CommandError::Text`] if the text is invalid.
    pub fn parse(text: &str, layouts: &MessageLayouts) -> Result<Self, CommandError> {
        Ok(Self(layouts.parse_values(text)?))
    }

    /// Encodes the data for a peer of this format.
    ///
    /// # Errors
    /// [`CommandError::TooLong`] or [`CommandError::Value`] if the format cannot represent the data.
    pub fn message(&self, format: Format) -> Result<Message, CommandError> {
        check_size(&self.0, format, MAX_PAYLOAD_SIZE.saturating_mul(8))?;
        let mut scratch = [0; MAX_PAYLOAD_SIZE];
        let payload = encode(&self.0, format, &mut scratch)?;
        let mut message = Message::create_data();
        message.add_payload(&payload);
        message.error(format).map_or(Ok(message), |error| Err(error.into()))
    }

    /// Returns whether `data`, which was received in `format`, has the same values and no more than padding after them.
    pub fn equals(&self, data: &Message, format: Format) -> bool {
        let mut scratch = [0; MAX_PAYLOAD_SIZE];
        let (Ok(wanted), Ok(found)) = (encode(&self.0, format, &mut scratch), data.payload(format)) else {
            return false;
        };
        let mut reader = found.reader::<V21>();
        let is_same = reader.take(wanted.bit_len(), "as many bits").is_ok_and(|same| same == wanted);
        let rest = reader.rest();
        is_same && (rest.bit_len() < 8 || rest.is_zero())
    }
}

/// Checks that values take at most `max_bits` bits in a format.
pub(super) fn check_size(values: &Values, format: Format, max_bits: usize) -> Result<(), CommandError> {
    let mut scratch = vec![0; MAX_MEASURED];
    let bits = encode(values, format, &mut scratch)?.bit_len();
    if bits <= max_bits {
        return Ok(());
    }
    Err(CommandError::TooLong { size: bits.div_ceil(8), max: max_bits / 8 })
}

/// Encodes values to `scratch`.
pub(super) fn encode<'a>(
    values: &Values,
    format: Format,
    scratch: &'a mut [u8],
) -> Result<Payload<'a>, CodecError> {
    let bits = match format {
        Format::V20 => write::<V20>(values, scratch)?,
        Format::V21 => write::<V21>(values, scratch)?,
    };
    Ok(Payload::with_bits(scratch, bits))
}

fn write<V: Version>(values: &Values, scratch: &mut [u8]) -> Result<usize, CodecError> {
    let space = scratch.len();
    let mut writer = Writer::<V>::with_max_size(scratch, space);
    values.write(&mut writer)?;
    Ok(writer.written_bits())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use crate::message::MessageSendMode;

    use super::*;

    fn data(text: &str) -> UserData {
        UserData::parse(text, &MessageLayouts::default()).unwrap()
    }

    #[test]
    fn received_data_is_compared_without_padding() {
        let wanted = data("string:\"let me in\" bool:true");
        for format in Format::ALL {
            assert!(wanted.equals(&wanted.message(format).unwrap(), format));
            let came = |text: &str| {
                let bytes = data(text).message(format).unwrap().payload(format).unwrap().to_vec();
                Message::received(format, MessageSendMode::Unreliable, None, &Payload::new(&bytes))
            };
            assert!(wanted.equals(&came("string:\"let me in\" bool:true"), format));
            assert!(
                wanted.equals(&came("string:\"let me in\" bool:true hex:0000"), format),
                "padding of pytide"
            );
            for other in [
                "",
                "string:\"let me in\"",
                "string:\"let me out\" bool:true",
                "string:\"let me in\" bool:true hex:0002",
            ] {
                assert!(!wanted.equals(&came(other), format), "{other} in {format}");
            }
        }
    }

    #[test]
    fn values_that_a_format_cannot_encode_are_errors() {
        let small = data("bits:3:5");
        assert!(small.message(Format::V21).is_ok() && small.message(Format::V20).is_err());
        let long = data(&format!("hex:{}", "00".repeat(1300))).message(Format::V21).unwrap_err().to_string();
        assert!(long.starts_with("1300 bytes of values exceed the maximum of 1225 bytes"), "{long}");
    }
}
