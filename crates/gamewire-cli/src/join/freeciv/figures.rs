use gamewire_freeciv::world::World;

/// A player's figures; for a global observer, those of all players together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayerStats {
    pub(super) cities: usize,
    pub(super) units: usize,
    pub(super) gold: Option<i64>,
    pub(super) score: Option<i64>,
}

impl PlayerStats {
    pub(super) fn of(world: &World) -> Self {
        let me = world.me();
        let (cities, units) = match world.my_number() {
            Some(_) => (world.my_cities().count(), world.my_units().count()),
            None => (world.cities().iter().len(), world.units().iter().len()),
        };
        Self {
            cities,
            units,
            gold: me.map(|player| player.gold.into()),
            score: me.map(|player| player.score.into()),
        }
    }
}

/// Formats a year as the game does.
pub(super) fn in_words(year: i64, world: &World) -> String {
    let era = world.calendar().map(|calendar| match year {
        ..0 => calendar.negative_year_label.to_str_lossy(),
        _ => calendar.positive_year_label.to_str_lossy(),
    });
    format!("{} {}", year.unsigned_abs(), era.unwrap_or_default()).trim_end().to_owned()
}
