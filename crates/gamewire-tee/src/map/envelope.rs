use super::error::MapError;
use super::item::{Fields, ItemType, item_type};
use super::reader::MapReader;

/// Integers of a point without tangents, and with the tangents of 0.7.
pub(super) const POINT_INTS: usize = 6;
pub(super) const BEZIER_POINT_INTS: usize = 22;
/// Integers of the tangents of a point.
pub(super) const TANGENT_INTS: usize = 16;
/// Version from which all points of a map have tangents.
pub(super) const BEZIER_VERSION: i32 = 3;

/// An envelope: a curve that changes positions, colors or sounds over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Version of the item.
    pub version: i32,
    /// Number of values of a point: 1 for a sound, 3 for a position, 4 for a color.
    pub channels: i32,
    /// Index of the first point.
    pub start: i32,
    /// Number of points.
    pub count: i32,
    /// Name of the envelope.
    pub name: Vec<u8>,
    /// True if the time of the server is used.
    pub is_synchronized: bool,
}

impl Envelope {
    pub(super) fn read(fields: Fields<'_>) -> Result<Self, MapError> {
        let version = fields.int(0, "envelope version")?;
        // Old items have a single integer instead of a name.
        let name = if fields.ints.len() < 12 { Vec::new() } else { fields.name(4, 8) };
        Ok(Self {
            version,
            channels: fields.int(1, "channels")?,
            start: fields.int(2, "first point")?,
            count: fields.int(3, "number of points")?,
            name,
            is_synchronized: version >= 2 && fields.optional(12).unwrap_or(0) != 0,
        })
    }
}

/// A point of an envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnvelopePoint {
    /// Time in milliseconds.
    pub time: i32,
    /// Curve to the next point: 0 step, 1 linear, 2 slow, 3 fast, 4 smooth, 5 bezier.
    pub curve: i32,
    /// Value of each channel, in 1024ths.
    pub values: [i32; 4],
    /// Tangents, if the map has some.
    pub tangents: Option<BezierTangents>,
}

/// The tangents of a point for bezier curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BezierTangents {
    /// For each channel, the time of the tangent toward the previous point, in milliseconds.
    pub in_time: [i32; 4],
    /// For each channel, the value of the tangent toward the previous point, in 1024ths.
    pub in_value: [i32; 4],
    /// For each channel, the time of the tangent toward the next point, in milliseconds.
    pub out_time: [i32; 4],
    /// For each channel, the value of the tangent toward the next point, in 1024ths.
    pub out_value: [i32; 4],
}

impl BezierTangents {
    fn read(ints: &[i32]) -> Option<Self> {
        let mut fours = ints.chunks_exact(4).filter_map(|four| four.first_chunk().copied());
        Some(Self {
            in_time: fours.next()?,
            in_value: fours.next()?,
            out_time: fours.next()?,
            out_value: fours.next()?,
        })
    }
}

impl EnvelopePoint {
    fn read(ints: &[i32]) -> Option<Self> {
        let ([time, curve, values @ ..], rest) = ints.split_first_chunk::<POINT_INTS>()?;
        Some(Self { time: *time, curve: *curve, values: *values, tangents: BezierTangents::read(rest) })
    }

    /// Reads the points of all envelopes. In 0.7 they contain their tangents; DDNet has a separate item for them.
    pub(super) fn read_all(reader: &MapReader<'_>) -> Result<Vec<Self>, MapError> {
        let Some((item, ints)) = reader.first_of(ItemType::Plain(item_type::ENVELOPE_POINTS)) else {
            return Ok(Vec::new());
        };
        let is_07 = reader.envelopes()?.iter().any(|envelope| envelope.version >= BEZIER_VERSION);
        let size = if is_07 { BEZIER_POINT_INTS } else { POINT_INTS };
        if !ints.chunks_exact(size).remainder().is_empty() {
            let found = i64::try_from(ints.len()).unwrap_or(i64::MAX);
            return Err(MapError::field(item, "number of integers of points", found));
        }
        let mut points: Vec<Self> = ints.chunks_exact(size).filter_map(Self::read).collect();
        if let Some((_, tangents)) = reader.first_of(ItemType::BEZIER)
            && tangents.len() == points.len().saturating_mul(TANGENT_INTS)
        {
            for (point, ints) in points.iter_mut().zip(tangents.chunks_exact(TANGENT_INTS)) {
                point.tangents = BezierTangents::read(ints);
            }
        }
        Ok(points)
    }
}
