//! Colors of the output.

use std::io;

use gamewire_inspect::render::Palette;

/// Returns the palette for standard output. It depends on `--color`, NO_COLOR, CLICOLOR, CLICOLOR_FORCE and
/// on whether standard output is a terminal.
pub(crate) fn palette() -> Palette {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => Palette::plain(),
        _ => Palette::colored(),
    }
}
