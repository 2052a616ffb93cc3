//! The items of a map as typed values.

use super::envelope::{Envelope, EnvelopePoint};
use super::error::MapError;
use super::image::{Image, Sound};
use super::info::MapInfo;
use super::item::item_type;
use super::layer::{Group, Layer};
use super::reader::MapReader;

impl MapReader<'_> {
    /// Returns the version of the map, 1 in all known maps. `None` if the item is missing.
    #[must_use]
    pub fn version(&self) -> Option<i32> {
        self.fields(item_type::VERSION).next()?.optional(0)
    }

    /// Returns author, credits and settings. All are empty if the item is missing.
    ///
    /// # Errors
    /// [`MapError`] if the item or a string is not valid.
    pub fn info(&self) -> Result<MapInfo, MapError> {
        self.fields(item_type::INFO)
            .next()
            .map_or_else(|| Ok(MapInfo::default()), |fields| MapInfo::read(self, fields))
    }

    /// Returns the images by their index.
    ///
    /// # Errors
    /// [`MapError`] if an item or a name is not valid.
    pub fn images(&self) -> Result<Vec<Image>, MapError> {
        self.fields(item_type::IMAGE).map(|fields| Image::read(self, fields)).collect()
    }

    /// Returns the sounds of DDNet by their index.
    ///
    /// # Errors
    /// [`MapError`] if an item or a name is not valid.
    pub fn sounds(&self) -> Result<Vec<Sound>, MapError> {
        self.fields(item_type::SOUND).map(|fields| Sound::read(self, fields)).collect()
    }

    /// Returns the envelopes by their index.
    ///
    /// # Errors
    /// [`MapError`] if an item is not valid.
    pub fn envelopes(&self) -> Result<Vec<Envelope>, MapError> {
        self.fields(item_type::ENVELOPE).map(Envelope::read).collect()
    }

    /// Returns the points of all envelopes.
    ///
    /// # Errors
    /// [`MapError`] if an item is not valid.
    pub fn envelope_points(&self) -> Result<Vec<EnvelopePoint>, MapError> {
        EnvelopePoint::read_all(self)
    }

    /// Returns the groups.
    ///
    /// # Errors
    /// [`MapError`] if an item is not valid.
    pub fn groups(&self) -> Result<Vec<Group>, MapError> {
        self.fields(item_type::GROUP).map(Group::read).collect()
    }

    /// Returns the layers of all groups.
    ///
    /// # Errors
    /// [`MapError`] if an item is not valid.
    pub fn layers(&self) -> Result<Vec<Layer>, MapError> {
        self.fields(item_type::LAYER).map(Layer::read).collect()
    }
}
