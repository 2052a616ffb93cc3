use super::data_file::{DataFile, Item};
use super::error::MapError;
use super::item::{item_type, pack_name};
use super::layer_data::TileFlags;
use crate::grid::GridLayers;
use crate::tile::MapTile;

/// A map with the layers of the physics and nothing else, for tests and tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhysicsMap {
    /// The layers.
    pub layers: GridLayers,
    /// Commands that DDNet runs when it loads the map.
    pub settings: Vec<String>,
}

impl PhysicsMap {
    /// Returns the map in the format of 0.6, which all games read.
    ///
    /// # Errors
    /// [`MapErrorKind::Unwritable`](super::MapErrorKind::Unwritable) if a layer is too large.
    pub fn to_file(&self) -> Result<DataFile, MapError> {
        let mut file = DataFile::new();
        let push = |file: &mut DataFile, type_id, id, ints: Vec<i32>| {
            file.push_item(Item { type_id, id, ints });
        };
        push(&mut file, item_type::VERSION, 0, vec![1]);
        let settings = if self.settings.is_empty() {
            -1
        } else {
            let commands: Vec<u8> =
                self.settings.iter().flat_map(|command| command.bytes().chain([0])).collect();
            index(file.push_blob(&commands)?)
        };
        push(&mut file, item_type::INFO, 0, vec![1, -1, -1, -1, -1, settings]);
        let mut id = 0_u16;
        for (flag, name, special) in self.special_layers() {
            let data = match special {
                None => index(file.push_blob(&bytes_of(&self.layers.game))?),
                Some(_) => index(file.push_blob(&vec![0; self.layers.game.len().saturating_mul(4)])?),
            };
            let mut ints = self.layer_ints(flag, name, data);
            if let (Some(bytes), Some(at)) = (special, flag.special()) {
                let special = index(file.push_blob(&bytes)?);
                if let Some(int) = ints.get_mut(at.saturating_add(18)) {
                    *int = special;
                }
            }
            push(&mut file, item_type::LAYER, id, ints);
            id = id.saturating_add(1);
        }
        let group = [3, 0, 0, 100, 100, 0, i32::from(id), 0, 0, 0, 0, 0];
        push(&mut file, item_type::GROUP, 0, group.into_iter().chain(pack_name::<3>(b"Game")).collect());
        push(&mut file, item_type::ENVELOPE_POINTS, 0, Vec::new());
        Ok(file)
    }

    /// Returns the layers with their flag, name and special bytes. The game layer has none.
    fn special_layers(&self) -> Vec<SpecialLayer> {
        let GridLayers { front, tele, speedup, switch, tune, .. } = &self.layers;
        let mut layers = vec![(TileFlags::GAME, b"Game".as_slice(), None)];
        let mut add = |flag, name: &'static [u8], bytes: Vec<u8>| {
            if !bytes.is_empty() {
                layers.push((flag, name, Some(bytes)));
            }
        };
        add(TileFlags::FRONT, b"Front", bytes_of(front));
        add(TileFlags::TELE, b"Tele", tele.iter().flat_map(|tile| [tile.number, tile.id]).collect());
        let speedups = speedup.iter().flat_map(|tile| {
            let [low, high] = tile.angle.to_le_bytes();
            [tile.force, tile.max_speed, tile.id, 0, low, high]
        });
        add(TileFlags::SPEEDUP, b"Speedup", speedups.collect());
        let switches = switch.iter().flat_map(|tile| [tile.number, tile.id, tile.flags, tile.delay]);
        add(TileFlags::SWITCH, b"Switch", switches.collect());
        let zones = tune.iter().flat_map(|zone| [*zone, if *zone == 0 { 0 } else { TUNE_TILE }]);
        add(TileFlags::TUNE, b"Tune", zones.collect());
        layers
    }

    /// Returns the integers of a tile layer of version 3 with DDNet's indices, which are all unused.
    fn layer_ints(&self, flag: TileFlags, name: &[u8], data: i32) -> Vec<i32> {
        let size = |tiles: u32| i32::try_from(tiles).unwrap_or(i32::MAX);
        let (width, height) = (size(self.layers.width), size(self.layers.height));
        let head = [0, 2, 0, 3, width, height, flag.0, 255, 255, 255, 255, -1, 0, -1, data];
        head.into_iter().chain(pack_name::<3>(name)).chain([-1; 5]).collect()
    }
}

/// Flag, name and special bytes of a layer.
type SpecialLayer = (TileFlags, &'static [u8], Option<Vec<u8>>);

/// Kind of a tile of a tune zone.
const TUNE_TILE: u8 = 68;

fn index(blob: usize) -> i32 {
    i32::try_from(blob).unwrap_or(-1)
}

fn bytes_of(tiles: &[MapTile]) -> Vec<u8> {
    tiles.iter().flat_map(|tile| [tile.index, tile.flags, 0, 0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{MapReader, from_07, grid_layers, to_07};
    use crate::tile::{SpeedupTile, SwitchTile, TeleTile};

    fn sample() -> PhysicsMap {
        let tile = |index| MapTile { index, flags: 8 };
        let layers = GridLayers {
            width: 3,
            height: 2,
            game: vec![tile(1), tile(0), tile(0), tile(0), tile(3), tile(1)],
            front: vec![tile(9); 6],
            tele: vec![TeleTile { number: 1, id: 26 }; 6],
            speedup: vec![SpeedupTile { force: 1, max_speed: 2, id: 28, angle: -90 }; 6],
            switch: vec![SwitchTile { number: 1, id: 24, flags: 0, delay: 5 }; 6],
            tune: vec![0, 1, 0, 0, 2, 0],
        };
        PhysicsMap { layers, settings: vec!["sv_team 1".into(), "tune gravity 1".into()] }
    }

    #[test]
    fn the_layers_of_the_physics_are_written_and_read() {
        let map = sample();
        let bytes = map.to_file().unwrap().to_bytes().unwrap();
        let file = DataFile::parse(&bytes).unwrap();
        let reader = MapReader::new(&file);
        assert_eq!(grid_layers(&reader).unwrap(), map.layers);
        assert_eq!(reader.version(), Some(1));
        let settings = reader.info().unwrap().settings;
        assert_eq!(settings, [b"sv_team 1".to_vec(), b"tune gravity 1".to_vec()]);
        let groups = reader.groups().unwrap();
        assert_eq!((groups[0].name.as_slice(), groups[0].layers), (b"Game".as_slice(), 6));
    }

    #[test]
    fn the_format_of_0_7_and_back_keeps_the_game_layer() {
        let file = sample().to_file().unwrap();
        let new = to_07(&file).unwrap().unwrap();
        assert_eq!(to_07(&new).unwrap(), None);
        let game = grid_layers(&MapReader::new(&new)).unwrap().game;
        assert_eq!(game, sample().layers.game);
        let old = from_07(&new).unwrap().unwrap();
        assert_eq!(grid_layers(&MapReader::new(&old)).unwrap().game, game);
        assert_eq!(from_07(&old).unwrap(), None);
    }
}
