use super::error::MapError;
use super::item::Fields;
use super::reader::MapReader;

/// Author, credits and settings of a map. Strings are bytes, because old maps are not always UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapInfo {
    /// The author.
    pub author: Option<Vec<u8>>,
    /// The version that the author gave the map.
    pub version: Option<Vec<u8>>,
    /// The credits.
    pub credits: Option<Vec<u8>>,
    /// The license.
    pub license: Option<Vec<u8>>,
    /// Commands that DDNet runs when it loads the map.
    pub settings: Vec<Vec<u8>>,
}

impl MapInfo {
    pub(super) fn read(reader: &MapReader<'_>, fields: Fields<'_>) -> Result<Self, MapError> {
        let string = |index, name| reader.string(fields.blob(index, name)?);
        let settings = match fields.optional(5) {
            Some(_) => fields.blob(5, "settings")?,
            None => None,
        };
        let settings = settings.map_or_else(|| Ok(Vec::new()), |index| reader.blob(index))?;
        let commands = settings.split(|byte| *byte == 0).filter(|command| !command.is_empty());
        Ok(Self {
            author: string(1, "author")?,
            version: string(2, "map version")?,
            credits: string(3, "credits")?,
            license: string(4, "license")?,
            settings: commands.map(<[u8]>::to_vec).collect(),
        })
    }
}
