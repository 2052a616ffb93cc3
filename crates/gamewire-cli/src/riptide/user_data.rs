use gamewire_riptide::Format;
use gamewire_riptide::layout::{MessageLayouts, Values};
use gamewire_riptide::message::Message;
use gamewire_riptide::raw::{MAX_PAYLOAD_SIZE, Payload, V20, V21, Version, Writer};
use gamewire_wire::CodecError;

use crate::exit_status::Failure;

/// Size of the buffer in which the size of too many values is measured.
const MAX_MEASURED: usize = 1 << 20;

/// Data of a connect request, a rejection or a kick: values without an id.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UserData(Values);

impl UserData {
    /// Parses `text`, the value of `option`.
    pub(crate) fn of_option(option: &str, text: &str, layouts: &MessageLayouts) -> Result<Self, Failure> {
        Self::parse(text, layouts).map_err(|error| Failure::Usage(format!("invalid {option}: {error}")))
    }

    /// Parses `text`, or returns an error message.
    pub(crate) fn parse(text: &str, layouts: &MessageLayouts) -> Result<Self, String> {
        layouts.parse_values(text).map(Self).map_err(|error| error.to_string())
    }

    /// Encodes the data for a peer of this format.
    pub(crate) fn message(&self, format: Format) -> Result<Message, String> {
        check_size(&self.0, format, MAX_PAYLOAD_SIZE.saturating_mul(8))?;
        let mut scratch = [0; MAX_PAYLOAD_SIZE];
        let payload = written(&self.0, format, &mut scratch).map_err(|error| error.to_string())?;
        let mut message = Message::create_data();
        message.add_payload(&payload);
        message.error(format).map_or(Ok(message), |error| Err(error.to_string()))
    }

    /// Returns true if `data`, which was received in `format`, has the same values and no more than padding after them.
    pub(crate) fn is(&self, data: &Message, format: Format) -> bool {
        let mut scratch = [0; MAX_PAYLOAD_SIZE];
        let (Ok(wanted), Ok(found)) = (written(&self.0, format, &mut scratch), data.payload(format)) else {
            return false;
        };
        let mut reader = found.reader::<V21>();
        let is_same = reader.take(wanted.bit_len(), "as many bits").is_ok_and(|same| same == wanted);
        let rest = reader.rest();
        is_same && (rest.bit_len() < 8 || rest.is_zero())
    }
}

/// Checks that values take at most `max_bits` bits in a format, or returns an error message.
pub(super) fn check_size(values: &Values, format: Format, max_bits: usize) -> Result<(), String> {
    let mut scratch = vec![0; MAX_MEASURED];
    let bits = written(values, format, &mut scratch).map_err(|error| error.to_string())?.bit_len();
    if bits <= max_bits {
        return Ok(());
    }
    let (size, max) = (bits.div_ceil(8), max_bits / 8);
    Err(format!("{size} bytes of values exceed the maximum of {max} bytes; split them into several messages"))
}

/// Encodes values to `scratch`.
pub(super) fn written<'a>(
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
    use gamewire_riptide::MessageSendMode;

    use super::*;

    fn data(text: &str) -> UserData {
        UserData::parse(text, &MessageLayouts::default()).unwrap()
    }

    #[test]
    fn received_data_is_compared_without_padding() {
        let wanted = data("string:\"let me in\" bool:true");
        for format in Format::ALL {
            assert!(wanted.is(&wanted.message(format).unwrap(), format));
            let came = |text: &str| {
                let bytes = data(text).message(format).unwrap().payload(format).unwrap().to_vec();
                Message::received(format, MessageSendMode::Unreliable, None, &Payload::new(&bytes))
            };
            assert!(wanted.is(&came("string:\"let me in\" bool:true"), format));
            assert!(wanted.is(&came("string:\"let me in\" bool:true hex:0000"), format), "padding of pytide");
            for other in [
                "",
                "string:\"let me in\"",
                "string:\"let me out\" bool:true",
                "string:\"let me in\" bool:true hex:0002",
            ] {
                assert!(!wanted.is(&came(other), format), "{other} in {format}");
            }
        }
    }

    #[test]
    fn values_that_a_format_cannot_encode_are_errors() {
        let small = data("bits:3:5");
        assert!(small.message(Format::V21).is_ok() && small.message(Format::V20).is_err());
        let long = data(&format!("hex:{}", "00".repeat(1300))).message(Format::V21).unwrap_err();
        assert!(long.starts_with("1300 bytes of values exceed the maximum of 1225 bytes"), "{long}");
    }
}
