use ::core::fmt;

/// The reason why bytes are not a map, with the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapError {
    /// Byte offset in the file, or index of the item or blob that [`MapErrorKind`] is about.
    pub at: usize,
    /// The kind of the error.
    pub kind: MapErrorKind,
}

/// The kinds of errors of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapErrorKind {
    /// The file ends. `at` is a byte offset.
    Truncated,
    /// The file does not begin with `DATA`. `at` is a byte offset.
    Magic,
    /// The version is not 3 or 4. `at` is a byte offset.
    Version(i32),
    /// A number of the header or of a table is impossible. `at` is a byte offset.
    Number {
        /// Name of the number.
        name: &'static str,
        /// Expected number; `None` if there is no single one.
        expected: Option<i64>,
        /// The number.
        found: i64,
    },
    /// The table of item types does not fit the items. `at` is the index of the type.
    ItemTypes,
    /// An item differs from its entry in the tables. `at` is the index of the item.
    Item,
    /// A blob is not zlib data, or does not have the claimed size. `at` is the index of the blob.
    Blob {
        /// Claimed bytes.
        expected: usize,
    },
    /// The blobs are larger than the limit of the reader. `at` is the index of the blob.
    TooLarge {
        /// Maximum bytes.
        max: usize,
    },
    /// An item of the map has a value that is impossible. `at` is the index of the item.
    Field {
        /// Name of the field.
        name: &'static str,
        /// The value.
        found: i64,
    },
    /// The content of a blob does not fit its item. `at` is the index of the blob.
    Content {
        /// The expected content.
        expected: &'static str,
    },
    /// The map has no game layer. `at` is 0.
    NoGameLayer,
    /// The map is too large for the file format. `at` is 0.
    Unwritable,
}

impl MapError {
    pub(super) const fn new(at: usize, kind: MapErrorKind) -> Self {
        Self { at, kind }
    }

    pub(super) const fn field(at: usize, name: &'static str, found: i64) -> Self {
        Self::new(at, MapErrorKind::Field { name, found })
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        match self.kind {
            MapErrorKind::Truncated => write!(f, "byte {at}: expected more bytes, found the end"),
            MapErrorKind::Magic => write!(f, "byte {at}: expected \"DATA\""),
            MapErrorKind::Version(found) => write!(f, "byte {at}: expected version 3 or 4, found {found}"),
            MapErrorKind::Number { name, expected: Some(expected), found } => {
                write!(f, "byte {at}: expected {name} {expected}, found {found}")
            }
            MapErrorKind::Number { name, expected: None, found } => {
                write!(f, "byte {at}: invalid {name} {found}")
            }
            MapErrorKind::ItemTypes => write!(f, "item type {at}: its range does not match the items"),
            MapErrorKind::Item => write!(f, "item {at}: differs from its entry in the tables"),
            MapErrorKind::Blob { expected } => {
                write!(f, "blob {at}: expected {expected} bytes after decompression")
            }
            MapErrorKind::TooLarge { max } => write!(f, "blob {at}: exceeds the limit of {max} bytes"),
            MapErrorKind::Field { name, found } => write!(f, "item {at}: invalid {name} {found}"),
            MapErrorKind::Content { expected } => write!(f, "blob {at}: expected {expected}"),
            MapErrorKind::NoGameLayer => f.write_str("expected a game layer, found none"),
            MapErrorKind::Unwritable => f.write_str("the map is too large for its format"),
        }
    }
}

impl ::core::error::Error for MapError {}
