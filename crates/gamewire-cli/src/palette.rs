//! Colours of what is printed.

use std::io;

use gamewire_inspect::render::Palette;

/// The palette for standard output: `--color`, NO_COLOR, CLICOLOR, CLICOLOR_FORCE, and whether it
/// is a terminal.
pub(crate) fn palette() -> Palette {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => Palette::plain(),
        _ => Palette::colored(),
    }
}
