/// The tune params of Teeworlds in 100ths, in the order of 0.6. 0.7 has all but [`LASER_DAMAGE`].
const VANILLA: [i32; 33] = [
    1000, 200, 50, 1320, 1200, 500, 150, 95, 38_000, 8000, 300, 1500, 50, 55_000, 200_000, 140, 125, 220_000,
    200, 125, 275_000, 80, 20, 700, 100_000, 200, 80_000, 15_000, 100, 0, 500, 100, 100,
];
/// The index of the damage of the laser, which 0.7 does not have.
const LASER_DAMAGE: usize = 30;

/// The physics of a game. Clients use them for prediction. Clients of DDNet leave a server with a plain game type, such
/// as `DM`, if its physics differ from Teeworlds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuneParams {
    /// The values in 100ths, in the order of 0.6: first the values of Teeworlds, then DDNet's.
    pub values: Vec<i32>,
}

impl Default for TuneParams {
    /// Returns the physics of Teeworlds.
    fn default() -> Self {
        Self { values: VANILLA.to_vec() }
    }
}

impl TuneParams {
    /// Returns the physics with these values in the order of 0.7. The damage of the laser is the default of Teeworlds.
    #[must_use]
    pub fn of_0_7(mut values: Vec<i32>) -> Self {
        if let Some(damage) = VANILLA.get(LASER_DAMAGE).filter(|_| values.len() >= LASER_DAMAGE) {
            values.insert(LASER_DAMAGE, *damage);
        }
        Self { values }
    }

    /// Returns the values in the order of 0.7.
    pub fn in_0_7(&self) -> Vec<i32> {
        let values = self.values.iter().take(VANILLA.len()).enumerate();
        values.filter(|(at, _)| *at != LASER_DAMAGE).map(|(_, value)| *value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_have_the_tune_params_of_their_tables() {
        let params = TuneParams::default();
        let mut names = crate::v06::game::TUNE_PARAMS.to_vec();
        assert_eq!(names.remove(LASER_DAMAGE), "laser_damage");
        assert_eq!(names, crate::v07::game::TUNE_PARAMS);
        assert_eq!(params.in_0_7().len(), VANILLA.len() - 1);
        assert_eq!(params.in_0_7().last(), Some(&100), "player_hooking");
        assert_eq!(TuneParams::of_0_7(params.in_0_7()), params);
        assert_eq!(TuneParams::of_0_7(vec![1]).values, [1]);
    }
}
