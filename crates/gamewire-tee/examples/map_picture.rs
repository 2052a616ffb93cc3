//! Draws the physics of a map, and the way of a tee on it, as SVG: `map_picture MAP PICTURE [WAY]`. WAY is a file with a
//! position in each line, such as `race_bot` writes.

#![allow(clippy::arithmetic_side_effects, reason = "places on a map")]

use std::error::Error;
use std::fmt::Write as _;

use gamewire_tee::game_map::GameMap;
use gamewire_tee::rules::Rules;

/// Indices of tiles, with their color and their name.
const KINDS: [(u8, &str, &str); 8] = [
    (1, "#8a7f72", "solid"),
    (2, "#c0392b", "death"),
    (3, "#4a4f57", "not hookable"),
    (9, "#8ea9c9", "freeze"),
    (16, "#b9a3d6", "wall jump"),
    (33, "#7fb77e", "start"),
    (34, "#e0b34c", "finish"),
    (192, "#ffffff", "spawn"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (map, picture) = (arguments.next().ok_or("which map?")?, arguments.next().ok_or("which picture?")?);
    let map = GameMap::read(Rules::Ddnet20, &std::fs::read(map)?)?;
    let layers = map.grid().layers();
    let width = usize::try_from(layers.width)?;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f4f1ea\"/>\n",
        layers.width * 32,
        layers.height * 32
    );
    for (index, color, name) in KINDS {
        write!(svg, "<path fill=\"{color}\" d=\"")?;
        for (row, tiles) in layers.game.chunks(width).enumerate() {
            let mut column = 0;
            for run in tiles.chunk_by(|one, two| one.index == two.index) {
                if run.first().is_some_and(|tile| tile.index == index) {
                    let length = run.len() * 32;
                    write!(svg, "M{} {}h{length}v32h-{length}z", column * 32, row * 32)?;
                }
                column += run.len();
            }
        }
        writeln!(svg, "\"><title>{name}</title></path>")?;
    }
    if let Some(way) = arguments.next() {
        let way = std::fs::read_to_string(way)?;
        let points: Vec<&str> = way.lines().collect();
        let points = points.join(" ");
        writeln!(svg, "<polyline fill=\"none\" stroke=\"#1f4e8c\" stroke-width=\"8\" points=\"{points}\"/>")?;
    }
    svg.push_str("</svg>\n");
    std::fs::write(picture, svg)?;
    Ok(())
}
