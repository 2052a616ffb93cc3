use super::error::MapError;
use super::item::Fields;
use super::reader::MapReader;

/// An image of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Version of the item.
    pub version: i32,
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// True if the image is a file of the game, and not in the map.
    pub is_external: bool,
    /// Name of the image.
    pub name: Vec<u8>,
    /// Index of the blob with the pixels.
    pub data: Option<usize>,
    /// True if a pixel has four bytes, and not three. Only items of version 2 can have three.
    pub has_alpha: bool,
}

impl Image {
    pub(super) fn read(reader: &MapReader<'_>, fields: Fields<'_>) -> Result<Self, MapError> {
        let name = reader.string(fields.blob(4, "image name")?)?;
        Ok(Self {
            version: fields.int(0, "image version")?,
            width: fields.int(1, "image width")?,
            height: fields.int(2, "image height")?,
            is_external: fields.int(3, "external")? != 0,
            name: name.unwrap_or_default(),
            data: fields.blob(5, "image data")?,
            has_alpha: fields.optional(6) != Some(0),
        })
    }
}

/// A sound of a map of DDNet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// Version of the item.
    pub version: i32,
    /// True if the sound is a file of the game, and not in the map.
    pub is_external: bool,
    /// Name of the sound.
    pub name: Vec<u8>,
    /// Index of the blob with the opus file.
    pub data: Option<usize>,
}

impl Sound {
    pub(super) fn read(reader: &MapReader<'_>, fields: Fields<'_>) -> Result<Self, MapError> {
        let name = reader.string(fields.blob(2, "sound name")?)?;
        Ok(Self {
            version: fields.int(0, "sound version")?,
            is_external: fields.int(1, "external")? != 0,
            name: name.unwrap_or_default(),
            data: fields.blob(3, "sound data")?,
        })
    }
}
