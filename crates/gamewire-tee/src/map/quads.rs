use super::error::{MapError, MapErrorKind};
use super::item::Fields;
use super::reader::MapReader;

/// Bytes of a quad.
const QUAD_BYTES: usize = 152;

/// A layer of quads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuadLayer {
    /// Version of the item.
    pub version: i32,
    /// Number of quads.
    pub count: usize,
    /// Index of the blob with the quads.
    pub data: Option<usize>,
    /// Index of the image, or -1.
    pub image: i32,
    /// Name of the layer.
    pub name: Vec<u8>,
}

/// A quad: an image with four corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quad {
    /// Upper left, upper right, lower left and lower right corner, and the pivot, in 1024ths of a unit. A tile is 32
    /// units wide.
    pub points: [[i32; 2]; 5],
    /// Red, green, blue and alpha of each corner.
    pub colors: [[i32; 4]; 4],
    /// Position of each corner in the image, in 1024ths of its width and height.
    pub texture: [[i32; 2]; 4],
    /// Index of the envelope of the position, or -1.
    pub position_envelope: i32,
    /// Offset of that envelope in milliseconds.
    pub position_envelope_offset: i32,
    /// Index of the envelope of the color, or -1.
    pub color_envelope: i32,
    /// Offset of that envelope in milliseconds.
    pub color_envelope_offset: i32,
}

impl QuadLayer {
    pub(super) fn read(fields: Fields<'_>) -> Result<Self, MapError> {
        let version = fields.int(3, "quad layer version")?;
        Ok(Self {
            version,
            count: fields.count(4, "number of quads")?,
            data: fields.blob(5, "quads")?,
            image: fields.int(6, "image")?,
            name: if version >= 2 { fields.name(7, 3) } else { Vec::new() },
        })
    }
}

impl Quad {
    fn read(ints: &mut impl Iterator<Item = i32>) -> Option<Self> {
        let mut quad = Self::default();
        for value in quad.points.as_flattened_mut() {
            *value = ints.next()?;
        }
        for value in quad.colors.as_flattened_mut() {
            *value = ints.next()?;
        }
        for value in quad.texture.as_flattened_mut() {
            *value = ints.next()?;
        }
        quad.position_envelope = ints.next()?;
        quad.position_envelope_offset = ints.next()?;
        quad.color_envelope = ints.next()?;
        quad.color_envelope_offset = ints.next()?;
        Some(quad)
    }
}

impl MapReader<'_> {
    /// Returns the quads of a layer.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few quads.
    pub fn quads(&self, layer: &QuadLayer) -> Result<Vec<Quad>, MapError> {
        let entry = |bytes: &[u8]| Quad::read(&mut ints_of(bytes));
        self.entries(layer.data, layer.count, QUAD_BYTES, "the quads of the layer", entry)
    }

    /// Reads `count` entries of a blob.
    pub(super) fn entries<T>(
        &self,
        data: Option<usize>,
        count: usize,
        size: usize,
        expected: &'static str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<Vec<T>, MapError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let index = data.unwrap_or(usize::MAX);
        let bytes = self.blob(index)?;
        let wrong = MapError::new(index, MapErrorKind::Content { expected });
        let length = count.checked_mul(size).filter(|length| *length <= bytes.len()).ok_or(wrong)?;
        bytes
            .get(..length)
            .unwrap_or_default()
            .chunks_exact(size)
            .map(|entry| read(entry).ok_or(wrong))
            .collect()
    }
}

/// Returns the little-endian integers in the bytes.
pub(super) fn ints_of(bytes: &[u8]) -> impl Iterator<Item = i32> {
    bytes.chunks_exact(4).filter_map(|int| int.first_chunk().map(|int| i32::from_le_bytes(*int)))
}
