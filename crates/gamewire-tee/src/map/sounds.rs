use super::error::MapError;
use super::item::Fields;
use super::quads::ints_of;
use super::reader::MapReader;

/// Bytes of a source, and of a source of the old type.
const SOURCE_BYTES: usize = 52;
const OLD_SOURCE_BYTES: usize = 36;

/// A layer of sounds of DDNet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundLayer {
    /// Version of the item.
    pub version: i32,
    /// True if the layer has the old type. Its sources have fewer values.
    pub is_old: bool,
    /// Number of sources.
    pub count: usize,
    /// Index of the blob with the sources.
    pub data: Option<usize>,
    /// Index of the sound, or -1.
    pub sound: i32,
    /// Name of the layer.
    pub name: Vec<u8>,
}

/// A source of a sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundSource {
    /// Position to the right and downwards, in 1024ths of a unit. A tile is 32 units wide.
    pub position: [i32; 2],
    /// True if the sound starts again at its end.
    pub is_looping: bool,
    /// True if the position changes the balance.
    pub has_pan: bool,
    /// Seconds before the first start.
    pub delay: i32,
    /// Strength of the fading toward the border, 0 to 255.
    pub falloff: i32,
    /// Index of the envelope of the position, or -1.
    pub position_envelope: i32,
    /// Offset of that envelope in milliseconds.
    pub position_envelope_offset: i32,
    /// Index of the envelope of the volume, or -1.
    pub sound_envelope: i32,
    /// Offset of that envelope in milliseconds.
    pub sound_envelope_offset: i32,
    /// Area in which the sound is played.
    pub shape: SoundShape,
}

/// Area in which a sound is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundShape {
    /// A rectangle.
    Rectangle {
        /// Width in 1024ths of a unit.
        width: i32,
        /// Height in 1024ths of a unit.
        height: i32,
    },
    /// A circle.
    Circle {
        /// Radius in units.
        radius: i32,
    },
    /// An area of an unknown kind.
    Unknown(i32),
}

impl SoundLayer {
    pub(super) fn read(fields: Fields<'_>, is_old: bool) -> Result<Self, MapError> {
        let version = fields.int(3, "sound layer version")?;
        Ok(Self {
            version,
            is_old,
            count: fields.count(4, "number of sources")?,
            data: fields.blob(5, "sources")?,
            sound: fields.int(6, "sound")?,
            name: if version >= 1 { fields.name(7, 3) } else { Vec::new() },
        })
    }
}

impl SoundSource {
    fn read(ints: &mut impl Iterator<Item = i32>, is_old: bool) -> Option<Self> {
        let position = [ints.next()?, ints.next()?];
        let is_looping = ints.next()? != 0;
        let has_pan = is_old || ints.next()? != 0;
        let delay = ints.next()?;
        let (falloff, old_radius) = if is_old { (0, ints.next()?) } else { (ints.next()?, 0) };
        let envelopes = [ints.next()?, ints.next()?, ints.next()?, ints.next()?];
        let [position_envelope, position_envelope_offset, sound_envelope, sound_envelope_offset] = envelopes;
        let shape = if is_old {
            SoundShape::Circle { radius: old_radius }
        } else {
            let (kind, one, two) = (ints.next()?, ints.next()?, ints.next()?);
            match kind {
                0 => SoundShape::Rectangle { width: one, height: two },
                1 => SoundShape::Circle { radius: one },
                kind => SoundShape::Unknown(kind),
            }
        };
        Some(Self {
            position,
            is_looping,
            has_pan,
            delay,
            falloff,
            position_envelope,
            position_envelope_offset,
            sound_envelope,
            sound_envelope_offset,
            shape,
        })
    }
}

impl MapReader<'_> {
    /// Returns the sources of a layer of sounds.
    ///
    /// # Errors
    /// [`MapError`] if the blob is missing or has too few sources.
    pub fn sound_sources(&self, layer: &SoundLayer) -> Result<Vec<SoundSource>, MapError> {
        let size = if layer.is_old { OLD_SOURCE_BYTES } else { SOURCE_BYTES };
        let entry = |bytes: &[u8]| SoundSource::read(&mut ints_of(bytes), layer.is_old);
        self.entries(layer.data, layer.count, size, "the sources of the layer", entry)
    }
}
