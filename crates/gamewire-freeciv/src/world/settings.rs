use std::collections::BTreeMap;

use crate::packets::{
    Packet, ServerSettingBitwise, ServerSettingBool, ServerSettingConst, ServerSettingControl,
    ServerSettingEnum, ServerSettingInt, ServerSettingStr,
};

/// The value of a server setting.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SettingValue {
    /// A boolean.
    Bool(ServerSettingBool),
    /// A number.
    Int(ServerSettingInt),
    /// A text.
    Str(Box<ServerSettingStr>),
    /// One of several names.
    Enum(Box<ServerSettingEnum>),
    /// Any of several names.
    Bitwise(Box<ServerSettingBitwise>),
}

/// The settings of the server, by name.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ServerSettings {
    ids: BTreeMap<String, u16>,
    values: BTreeMap<u16, SettingValue>,
    constants: BTreeMap<u16, Box<ServerSettingConst>>,
    control: Option<Box<ServerSettingControl>>,
}

impl ServerSettings {
    /// Returns the value of a setting, if it is visible to the client.
    pub fn get(&self, name: &str) -> Option<&SettingValue> {
        self.values.get(self.ids.get(name)?)
    }

    /// Returns the name of the setting with an id, which requirements contain.
    pub fn name(&self, id: u16) -> Option<&str> {
        self.ids.iter().find(|(_, known)| **known == id).map(|(name, _)| name.as_str())
    }

    /// Iterates over the visible settings.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &SettingValue)> {
        self.ids.iter().filter_map(|(name, id)| Some((name.as_str(), self.values.get(id)?)))
    }

    /// Returns the constant properties of a setting: its category and its help texts.
    pub fn constant(&self, name: &str) -> Option<&ServerSettingConst> {
        self.constants.get(self.ids.get(name)?).map(Box::as_ref)
    }

    /// Returns the name of a category of settings.
    pub fn category(&self, number: u8) -> Option<String> {
        Some(self.control.as_ref()?.category_names.iter_lossy().nth(number.into())?.into_owned())
    }

    /// Applies a packet about settings. Returns false for other packets.
    pub(super) fn apply(&mut self, packet: &Packet<'_>) -> bool {
        let (id, value) = match packet {
            Packet::ServerSettingControl(it) => {
                *self = Self { control: Some(Box::new((*it).clone())), ..Self::default() };
                return true;
            }
            Packet::ServerSettingConst(it) => {
                // Keep one name per id, so that there are never more names than ids.
                self.ids.retain(|_, id| *id != it.id);
                self.ids.insert(it.name.to_str_lossy().into_owned(), it.id);
                self.constants.insert(it.id, Box::new((*it).clone()));
                return true;
            }
            Packet::ServerSettingBool(it) => (it.id, SettingValue::Bool((*it).clone())),
            Packet::ServerSettingInt(it) => (it.id, SettingValue::Int((*it).clone())),
            Packet::ServerSettingStr(it) => (it.id, SettingValue::Str(Box::new((*it).clone()))),
            Packet::ServerSettingEnum(it) => (it.id, SettingValue::Enum(Box::new((*it).clone()))),
            Packet::ServerSettingBitwise(it) => (it.id, SettingValue::Bitwise(Box::new((*it).clone()))),
            _ => return false,
        };
        self.values.insert(id, value);
        true
    }
}
