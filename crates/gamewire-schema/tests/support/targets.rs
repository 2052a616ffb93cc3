//! Properties of the compiler that must hold for any text. The fuzz target `packets_def`, the mutation tests and the
//! corpus test check them.
#![allow(unreachable_pub, reason = "each program that includes this uses a part of it")]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a broken promise is a panic")]
#![allow(clippy::arithmetic_side_effects, reason = "an overflow is a broken promise too")]

use std::sync::LazyLock;

use gamewire_schema::emit::{Json, Markdown, Rust, compare};
use gamewire_schema::{Constants, compile};

static LAMPS: LazyLock<Constants> =
    LazyLock::new(|| Constants::from_toml(include_str!("../good/lamps.toml")).unwrap());
static FREECIV: LazyLock<Constants> =
    LazyLock::new(|| Constants::from_toml(include_str!("../../../../definitions/freeciv/3.0.toml")).unwrap());

/// Compiles a definition and returns whether it is valid. The first byte selects the constants: `f` for Freeciv 3.0,
/// any other byte for the constants of the tests.
///
/// Checks that every error has a location in the text. The slow checks run for one input in 32.
pub fn packets_def(bytes: &[u8]) -> bool {
    compiled(bytes, bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)).is_multiple_of(32))
}

/// Compiles a definition in the same way as [`packets_def`]. With `is_emitted`, checks that errors render to a bounded
/// length and that a valid definition can be written in all formats.
pub fn compiled(bytes: &[u8], is_emitted: bool) -> bool {
    let Some((first, text)) = bytes.split_first() else { return false };
    let constants = if *first == b'f' { &*FREECIV } else { &*LAMPS };
    let text = String::from_utf8_lossy(text);
    let protocol = match compile(&text, constants) {
        Ok(protocol) => protocol,
        Err(errors) => {
            assert!(!errors.list().is_empty());
            for error in errors.list() {
                // The span of an error at the end of the file may be one byte after the end.
                let span = &error.span;
                assert!(span.start <= span.end && span.end <= text.len() + 1, "{span:?} of {}", text.len());
            }
            if is_emitted {
                let rendered = errors.render("fuzzed.def", &text, true);
                assert!(rendered.contains("error") && rendered.len() < 1_000_000, "{} bytes", rendered.len());
            }
            return false;
        }
    };
    for variant in protocol.packets.iter().flat_map(|packet| packet.variants()) {
        assert!(variant.bits().count() <= variant.bitvector_bytes() * 8 || !variant.packet().is_delta());
    }
    if is_emitted {
        assert!(!Json(&protocol).to_string().is_empty());
        assert!(!Markdown::new(&protocol).to_string().is_empty());
        if let Ok(rust) = Rust::new(&protocol) {
            assert!(rust.file().len() > 100 || protocol.packets.is_empty());
        }
        assert_eq!(compare(&protocol, &protocol).list, []);
    }
    true
}
