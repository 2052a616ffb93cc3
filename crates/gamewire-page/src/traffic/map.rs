//! The map of a Freeciv game that a client knows.

use std::collections::BTreeMap;

use gamewire_inspect::render::DisplayValue;
use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Layer;

use super::progress::integer;

/// Maximum number of tiles of a map. A larger map is not shown.
const MAX_TILES: usize = 500_000;
/// Maximum number of cities, and of units.
const MAX_OBJECTS: usize = 20_000;
/// Maximum number of terrain types.
const MAX_TERRAINS: usize = 256;

/// The known part of a map.
#[derive(Clone, Debug, Default)]
pub struct MapView {
    /// Width and height in tiles.
    pub size: (usize, usize),
    /// Bits of the topology: 1 for an isometric map, 2 for hexagons.
    pub topology: i64,
    /// Terrain of each tile, row by row; 255 if unknown.
    pub terrain: Vec<u8>,
    /// Owner of each tile, row by row; 255 if there is none.
    pub owners: Vec<u8>,
    /// Name and color of each terrain, by its id.
    pub terrains: BTreeMap<i64, (String, [u8; 3])>,
    /// Tile, owner and name of each city, by its id.
    pub cities: BTreeMap<i64, (i64, i64, String)>,
    /// Tile and owner of each unit, by its id.
    pub units: BTreeMap<i64, (i64, i64)>,
}

impl MapView {
    /// Updates the map with the packets of a record.
    pub(super) fn packet(&mut self, record: &Record) {
        for message in record.nodes().filter(|node| node.kind() == NodeKind::Group(Layer::Message)) {
            let fields = Fields(message);
            match message.name() {
                "map_info" => self.begin(&fields),
                "tile_info" => self.tile(&fields),
                "ruleset_terrain" => self.terrain(&fields),
                "city_info" | "city_short_info" => self.city(&fields),
                "city_remove" => _ = fields.integer("city_id").map(|id| self.cities.remove(&id)),
                "unit_info" | "unit_short_info" => self.unit(&fields),
                "unit_remove" => _ = fields.integer("unit_id").map(|id| self.units.remove(&id)),
                _ => {}
            }
        }
    }

    fn begin(&mut self, fields: &Fields<'_>) {
        let side = |name| fields.integer(name).and_then(|side| usize::try_from(side).ok()).unwrap_or(0);
        let (width, height) = (side("xsize"), side("ysize"));
        let Some(tiles) = width.checked_mul(height).filter(|tiles| *tiles <= MAX_TILES) else { return };
        self.size = (width, height);
        self.topology = fields.integer("topology_id").unwrap_or(0);
        self.terrain = vec![u8::MAX; tiles];
        self.owners = vec![u8::MAX; tiles];
        self.cities.clear();
        self.units.clear();
    }

    fn tile(&mut self, fields: &Fields<'_>) {
        let tile = fields.integer("tile").and_then(|tile| usize::try_from(tile).ok());
        let Some(tile) = tile.filter(|tile| *tile < self.terrain.len()) else { return };
        let known = fields.integer("known");
        let byte = |name| fields.integer(name).and_then(|value| u8::try_from(value).ok()).unwrap_or(u8::MAX);
        if let Some(place) = self.terrain.get_mut(tile) {
            *place = if known == Some(0) { u8::MAX } else { byte("terrain") };
        }
        if let Some(place) = self.owners.get_mut(tile) {
            *place = byte("owner");
        }
    }

    fn terrain(&mut self, fields: &Fields<'_>) {
        let Some(id) = fields.integer("id").filter(|_| self.terrains.len() < MAX_TERRAINS) else { return };
        let color = ["color_red", "color_green", "color_blue"]
            .map(|name| fields.integer(name).and_then(|value| u8::try_from(value).ok()).unwrap_or(0));
        self.terrains.insert(id, (fields.text("name"), color));
    }

    fn city(&mut self, fields: &Fields<'_>) {
        let known = self.cities.len() < MAX_OBJECTS;
        if let (Some(id), Some(tile), Some(owner)) =
            (fields.integer("id"), fields.integer("tile"), fields.integer("owner"))
            && (known || self.cities.contains_key(&id))
        {
            self.cities.insert(id, (tile, owner, fields.text("name")));
        }
    }

    fn unit(&mut self, fields: &Fields<'_>) {
        let known = self.units.len() < MAX_OBJECTS;
        if let (Some(id), Some(tile), Some(owner)) =
            (fields.integer("id"), fields.integer("tile"), fields.integer("owner"))
            && (known || self.units.contains_key(&id))
        {
            self.units.insert(id, (tile, owner));
        }
    }
}

/// The fields of a packet. A field that was not sent has the value of the baseline.
struct Fields<'a>(NodeRef<'a>);

impl<'a> Fields<'a> {
    fn find(&self, name: &str) -> Option<NodeRef<'a>> {
        let is_it = |field: &NodeRef<'a>| field.name() == name && field.kind() == NodeKind::Field;
        let before = |node: &NodeRef<'a>| node.kind() == NodeKind::Group(Layer::Baseline);
        let sent = self.0.children().find(is_it);
        sent.or_else(|| self.0.children().filter(before).find_map(|before| before.children().find(is_it)))
    }

    fn integer(&self, name: &str) -> Option<i64> {
        self.find(name).and_then(integer)
    }

    fn text(&self, name: &str) -> String {
        let value = self.find(name).and_then(|field| field.value());
        value.map(|value| DisplayValue(value).to_string().trim_matches('"').to_owned()).unwrap_or_default()
    }
}
