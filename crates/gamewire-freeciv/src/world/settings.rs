use std::collections::BTreeMap;

use crate::v30::{
    Packet, ServerSettingBitwise, ServerSettingBool, ServerSettingConst, ServerSettingEnum, ServerSettingInt,
    ServerSettingStr,
};

/// What a setting of the server is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// On or off.
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

/// The settings of the server by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerSettings {
    ids: BTreeMap<String, u16>,
    values: BTreeMap<u16, SettingValue>,
}

impl ServerSettings {
    /// What a setting is set to, if one may know.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SettingValue> {
        self.values.get(self.ids.get(name)?)
    }

    /// All that one may know, by their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &SettingValue)> {
        self.ids.iter().filter_map(|(name, id)| Some((name.as_str(), self.values.get(id)?)))
    }

    /// Takes a packet about settings; whether it is one.
    pub(super) fn apply(&mut self, packet: &Packet<'_>) -> bool {
        let (id, value) = match packet {
            Packet::ServerSettingControl(_) => {
                *self = Self::default();
                return true;
            }
            Packet::ServerSettingConst(it) => {
                self.name(it);
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

    fn name(&mut self, setting: &ServerSettingConst) {
        // One name an id, so that there are never more names than ids.
        self.ids.retain(|_, id| *id != setting.id);
        self.ids.insert(setting.name.to_str_lossy().into_owned(), setting.id);
    }
}
