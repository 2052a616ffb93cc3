//! Compares the movement of tees with a recorded game: `tee_check CAPTURE MAP [RULES] [TEEHISTORIAN]`, or
//! `tee_check TEEHISTORIAN MAP`.
//!
//! The capture has the sessions of one or more clients with one server, MAP is the file of the server's map, and RULES is
//! `0.6.5`, `0.7.5`, `ddnet-16` or `ddnet-20`. From each tick of the snapshots, the next one is computed with the inputs of
//! the clients, and each tee is compared with the tee that the server sent. The last line counts the compared tee-ticks,
//! those that differ, and those that cannot be compared, because another tee without inputs is near.
//!
//! A teehistorian file, which DDNet's server writes with `sv_tee_historian 1`, has the inputs with their exact ticks, so that the
//! game is played from its beginning to its end without any correction. The positions in the file are compared, and the tees in
//! the snapshots of the capture, if there is one.

#![allow(clippy::arithmetic_side_effects, reason = "ticks and counts of one recording")]

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use gamewire_tee::grid::Grid;
use gamewire_tee::map::{DataFile, MapReader, grid_layers};
use gamewire_tee::rules::Rules;
use gamewire_tee::teehistorian::Teehistorian;
use gamewire_tee::world::World;

mod capture;
mod ddnet;
mod history;
mod report;
mod simulation;
mod situation;
mod timing;

use capture::Recording;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let capture = arguments.next().ok_or("which capture? FILE")?;
    let map = arguments.next().ok_or("which map? FILE")?;
    let rules = arguments.next();
    let history = arguments.next().map(std::fs::read).transpose()?;
    let recorded = std::fs::read(capture)?;
    let is_history = Teehistorian::parse(&recorded).is_ok();
    let recording = if is_history { Recording::default() } else { capture::read(&recorded)? };
    let rules = match rules.as_deref() {
        Some("0.6.5") => Rules::Teeworlds06,
        Some("0.7.5") => Rules::Teeworlds07,
        Some("ddnet-16") => Rules::Ddnet16,
        Some("ddnet-20") => Rules::Ddnet20,
        None if recording.is_07 => Rules::Teeworlds07,
        None => Rules::Ddnet20,
        Some(other) => {
            return Err(format!("unknown rules {other:?}; use 0.6.5, 0.7.5, ddnet-16 or ddnet-20").into());
        }
    };
    let file = DataFile::parse(&std::fs::read(map)?)?;
    let reader = MapReader::new(&file);
    let grid = Arc::new(Grid::new(rules, grid_layers(&reader)?)?);
    let mut world = World::new(rules, Arc::clone(&grid));
    if rules.is_ddnet() {
        let tunings = reader.info()?.tunings(rules);
        (world.tuning, world.zone_tunings) = (tunings.map, Arc::new(tunings.zones));
    } else if let Some((_, values)) = recording.tunings.first() {
        world.tuning.set_from_wire(rules, values.iter().copied());
    }
    let history = if is_history { Some(recorded) } else { history };
    let report = match history {
        Some(history) => history::play(&history, world, &recording)?,
        None => simulation::Simulation::new(&recording, world).run(),
    };
    report.print();
    Ok(if report.differing() == 0 && report.compared() > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
