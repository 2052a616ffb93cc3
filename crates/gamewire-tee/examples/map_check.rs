//! Reads maps and writes them again: `map_check FILE...`. Prints each map that is rejected or differs, and a count.

#![allow(clippy::arithmetic_side_effects, reason = "counts of files")]

use gamewire_tee::grid::Grid;
use gamewire_tee::map::{DataFile, LayerContent, MapError, MapReader, grid_layers};
use gamewire_tee::rules::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut read, mut same, mut rejected, mut blobs) = (0, 0, 0, 0);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        match check(&bytes) {
            Ok((written, count)) => {
                read += 1;
                blobs += count;
                if written == bytes {
                    same += 1;
                } else {
                    println!("{path}: the written file differs");
                }
            }
            Err(error) => {
                rejected += 1;
                println!("{path}: {error}");
            }
        }
    }
    println!("read {read} identical {same} rejected {rejected}, with {blobs} data");
    if same == read && rejected == 0 { Ok(()) } else { Err("a map was rejected or differs".into()) }
}

/// Reads everything in a map. Returns the bytes that are written, and the number of blobs.
fn check(bytes: &[u8]) -> Result<(Vec<u8>, usize), MapError> {
    let file = DataFile::parse(bytes)?;
    let reader = MapReader::new(&file);
    reader.info()?;
    reader.images()?;
    reader.sounds()?;
    reader.groups()?;
    reader.envelope_points()?;
    for layer in reader.layers()? {
        match layer.content {
            LayerContent::Tiles(tiles) => drop(reader.tiles(&tiles)?),
            LayerContent::Quads(quads) => drop(reader.quads(&quads)?),
            LayerContent::Sounds(sounds) => drop(reader.sound_sources(&sounds)?),
            LayerContent::Unknown(_) => {}
        }
    }
    Grid::new(Rules::Ddnet20, grid_layers(&reader)?).ok();
    for index in 0..file.blobs().len() {
        file.blob_bytes(index, usize::MAX)?;
    }
    Ok((file.to_bytes()?, file.blobs().len()))
}
