use super::error::MapError;
use super::item::Fields;
use super::reader::MapReader;
use crate::rules::Rules;
use crate::tuning::Tuning;

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

/// The tunings that the settings of a map make.
#[derive(Clone, Debug, PartialEq)]
pub struct MapTunings {
    /// The tuning of the map outside of its zones.
    pub map: Tuning,
    /// The tunings of its zones, from number 1.
    pub zones: Vec<Tuning>,
}

impl MapInfo {
    /// Returns the tunings that the settings of the map make.
    #[must_use]
    pub fn tunings(&self, rules: Rules) -> MapTunings {
        let mut tuning = Tuning::of_ddnet_server(rules);
        let mut zones = vec![tuning; MAX_ZONES];
        for command in &self.settings {
            let text = String::from_utf8_lossy(command);
            let mut words = text.split_whitespace();
            match words.next() {
                Some("tune") => _ = set(&mut tuning, words),
                Some("tune_zone") => {
                    let zone = words.next().and_then(|zone| zone.parse::<usize>().ok());
                    let zone = zone.and_then(|zone| zones.get_mut(zone.checked_sub(1)?));
                    _ = zone.is_some_and(|zone| set(zone, words));
                }
                _ => {}
            }
        }
        MapTunings { map: tuning, zones }
    }
}

/// Number of tune zones of a map, without zone 0.
const MAX_ZONES: usize = 255;

fn set<'a>(tuning: &mut Tuning, mut words: impl Iterator<Item = &'a str>) -> bool {
    let pair = words.next().zip(words.next().and_then(|value| value.parse().ok()));
    pair.is_some_and(|(name, value)| tuning.set_by_name(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_a_map_tune_its_zones() {
        let settings =
            ["tune gravity 0.25", "tune_zone 2 gravity 1", "sv_team 1", "tune nothing 3", "tune_zone 0"];
        let settings = settings.map(|command| command.as_bytes().to_vec()).to_vec();
        let MapTunings { map, zones } = MapInfo { settings, ..MapInfo::default() }.tunings(Rules::Ddnet20);
        assert_eq!((map.gravity, zones[0].gravity, zones[1].gravity), (0.25, 0.5, 1.0));
    }
}
