use super::error::MapError;
use super::item::Fields;
use super::layer_data::TileFlags;
use super::quads::QuadLayer;
use super::sounds::SoundLayer;

/// Types of layers.
const TILES: i32 = 2;
const QUADS: i32 = 3;
const OLD_SOUNDS: i32 = 9;
const SOUNDS: i32 = 10;

/// A group of layers that move together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Version of the item.
    pub version: i32,
    /// Offset to the right and downwards.
    pub offset: [i32; 2],
    /// Movement relative to the view in percent, to the right and downwards.
    pub parallax: [i32; 2],
    /// Index of the first layer.
    pub start_layer: i32,
    /// Number of layers.
    pub layers: i32,
    /// Rectangle outside of which nothing is drawn.
    pub clip: Option<Clip>,
    /// Name of the group.
    pub name: Vec<u8>,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clip {
    /// Left border.
    pub x: i32,
    /// Upper border.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Group {
    pub(super) fn read(fields: Fields<'_>) -> Result<Self, MapError> {
        let version = fields.int(0, "group version")?;
        let clip = if version >= 2 && fields.int(7, "clipping")? != 0 {
            Some(Clip {
                x: fields.int(8, "clip x")?,
                y: fields.int(9, "clip y")?,
                width: fields.int(10, "clip width")?,
                height: fields.int(11, "clip height")?,
            })
        } else {
            None
        };
        Ok(Self {
            version,
            offset: [fields.int(1, "offset x")?, fields.int(2, "offset y")?],
            parallax: [fields.int(3, "parallax x")?, fields.int(4, "parallax y")?],
            start_layer: fields.int(5, "first layer")?,
            layers: fields.int(6, "number of layers")?,
            clip,
            name: if version >= 3 { fields.name(12, 3) } else { Vec::new() },
        })
    }
}

/// A layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Index of the item in the file.
    pub item: usize,
    /// True if the layer is a detail, which players can turn off.
    pub is_detail: bool,
    /// The content.
    pub content: LayerContent,
}

/// Content of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerContent {
    /// Tiles.
    Tiles(TileLayer),
    /// Quads.
    Quads(QuadLayer),
    /// Sounds of DDNet.
    Sounds(SoundLayer),
    /// A layer of an unknown type.
    Unknown(i32),
}

/// A layer of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileLayer {
    /// Version of the item. From 4 on, runs of equal tiles are packed.
    pub version: i32,
    /// Width in tiles.
    pub width: u32,
    /// Height in tiles.
    pub height: u32,
    /// Kind of the layer.
    pub flags: TileFlags,
    /// Red, green, blue and alpha.
    pub color: [i32; 4],
    /// Index of the envelope of the color, or -1.
    pub color_envelope: i32,
    /// Offset of the envelope in milliseconds.
    pub color_envelope_offset: i32,
    /// Index of the image, or -1.
    pub image: i32,
    /// Index of the blob with the tiles.
    pub data: Option<usize>,
    /// Name of the layer.
    pub name: Vec<u8>,
    /// Index of the blob with the special tiles of DDNet, if the layer is one of DDNet's.
    pub special: Option<usize>,
}

impl Layer {
    pub(super) fn read(fields: Fields<'_>) -> Result<Self, MapError> {
        let kind = fields.int(1, "layer type")?;
        let content = match kind {
            TILES => LayerContent::Tiles(TileLayer::read(fields)?),
            QUADS => LayerContent::Quads(QuadLayer::read(fields)?),
            SOUNDS | OLD_SOUNDS => LayerContent::Sounds(SoundLayer::read(fields, kind == OLD_SOUNDS)?),
            _ => LayerContent::Unknown(kind),
        };
        Ok(Self { item: fields.item, is_detail: fields.int(2, "layer flags")? & 1 != 0, content })
    }
}

impl TileLayer {
    fn read(fields: Fields<'_>) -> Result<Self, MapError> {
        let version = fields.int(3, "tile layer version")?;
        let size = |index, name| {
            let found = fields.int(index, name)?;
            u32::try_from(found)
                .ok()
                .filter(|size| *size > 0)
                .ok_or_else(|| MapError::field(fields.item, name, found.into()))
        };
        let flags = TileFlags(fields.int(6, "tile layer flags")?);
        let has_name = version >= 3;
        // Unused indices of old editors may be any number, so only the one that the flag names is read.
        let special_at = flags.special().map(|at| at.saturating_add(if has_name { 18 } else { 15 }));
        let special = match special_at.filter(|at| fields.optional(*at).is_some()) {
            Some(at) => fields.blob(at, "special tiles")?,
            None => None,
        };
        Ok(Self {
            version,
            width: size(4, "width")?,
            height: size(5, "height")?,
            flags,
            color: [
                fields.int(7, "red")?,
                fields.int(8, "green")?,
                fields.int(9, "blue")?,
                fields.int(10, "alpha")?,
            ],
            color_envelope: fields.int(11, "color envelope")?,
            color_envelope_offset: fields.int(12, "color envelope offset")?,
            image: fields.int(13, "image")?,
            data: fields.blob(14, "tiles")?,
            name: if has_name { fields.name(15, 3) } else { Vec::new() },
            special,
        })
    }

    /// Returns the number of tiles.
    #[must_use]
    pub fn count(&self) -> usize {
        usize::try_from(u64::from(self.width).saturating_mul(self.height.into())).unwrap_or(usize::MAX)
    }
}
