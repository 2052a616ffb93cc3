//! Tunings: the numbers of the physics that a server can change.

use crate::number::{float, truncate};
use crate::rules::Rules;

macro_rules! tunings {
    ($($(#[doc = $doc:literal])+ $field:ident = $default:literal,)+) => {
        /// The tunings as the physics uses them. A value on the wire is a hundred times as large.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Tuning {
            $($(#[doc = $doc])+ pub $field: f32,)+
        }

        /// Names of all tunings in the order of the wire. Teeworlds 0.7 has all up to `player_hooking` except
        /// `laser_damage`.
        pub const TUNING_NAMES: &[&str] = &[$(stringify!($field)),+];

        const DEFAULTS: &[i32] = &[$($default),+];

        impl Tuning {
            /// Returns a tuning by its index in [`TUNING_NAMES`].
            fn by_index(&mut self, index: usize) -> Option<&mut f32> {
                let fields = [$(&mut self.$field),+];
                fields.into_iter().nth(index)
            }

            const ZERO: Self = Self { $($field: 0.0),+ };
        }
    };
}

tunings! {
    /// Maximum walking speed on the ground.
    ground_control_speed = 1000,
    /// Acceleration on the ground.
    ground_control_accel = 200,
    /// Factor of the speed for each tick without a direction on the ground.
    ground_friction = 50,
    /// Speed of a jump from the ground.
    ground_jump_impulse = 1320,
    /// Speed of a jump in the air.
    air_jump_impulse = 1200,
    /// Maximum speed by control in the air.
    air_control_speed = 500,
    /// Acceleration in the air.
    air_control_accel = 150,
    /// Factor of the speed for each tick without a direction in the air.
    air_friction = 95,
    /// Maximum length of the hook.
    hook_length = 38000,
    /// Speed of the flying hook.
    hook_fire_speed = 8000,
    /// Acceleration toward the hook.
    hook_drag_accel = 300,
    /// Maximum speed that the hook causes.
    hook_drag_speed = 1500,
    /// Acceleration downwards.
    gravity = 50,
    /// Speed per second from which the horizontal speed is reduced.
    velramp_start = 55000,
    /// Range of the reduction.
    velramp_range = 200_000,
    /// Strength of the reduction.
    velramp_curvature = 140,
    /// Curvature of a bullet's path.
    gun_curvature = 125,
    /// Speed of a bullet.
    gun_speed = 220_000,
    /// Lifetime of a bullet in seconds.
    gun_lifetime = 200,
    /// Curvature of a pellet's path.
    shotgun_curvature = 125,
    /// Speed of a pellet.
    shotgun_speed = 275_000,
    /// Speed of the outermost pellets, relative to the middle one.
    shotgun_speeddiff = 80,
    /// Lifetime of a pellet in seconds.
    shotgun_lifetime = 20,
    /// Curvature of a grenade's path.
    grenade_curvature = 700,
    /// Speed of a grenade.
    grenade_speed = 100_000,
    /// Lifetime of a grenade in seconds.
    grenade_lifetime = 200,
    /// Length of a laser beam.
    laser_reach = 80000,
    /// Time between two bounces in milliseconds.
    laser_bounce_delay = 15000,
    /// Maximum number of bounces.
    laser_bounce_num = 100,
    /// Length that a bounce costs.
    laser_bounce_cost = 0,
    /// Damage of the laser. Not in Teeworlds 0.7.
    laser_damage = 500,
    /// True if tees collide: not 0.
    player_collision = 100,
    /// True if tees can be hooked: not 0.
    player_hooking = 100,
    /// Strength of the jetpack. DDNet only, like all tunings after it.
    jetpack_strength = 40000,
    /// Strength of the pull of the shotgun.
    shotgun_strength = 1000,
    /// Strength of an explosion.
    explosion_strength = 600,
    /// Strength of the hammer.
    hammer_strength = 100,
    /// Duration of a hook that holds a tee, in seconds.
    hook_duration = 125,
    /// Reload time of the hammer in milliseconds.
    hammer_fire_delay = 12500,
    /// Reload time of the gun in milliseconds.
    gun_fire_delay = 12500,
    /// Reload time of the shotgun in milliseconds.
    shotgun_fire_delay = 50000,
    /// Reload time of the grenade launcher in milliseconds.
    grenade_fire_delay = 50000,
    /// Reload time of the laser in milliseconds.
    laser_fire_delay = 80000,
    /// Reload time of the ninja in milliseconds.
    ninja_fire_delay = 80000,
    /// Reload time of a hammer that hit, in milliseconds.
    hammer_hit_fire_delay = 32000,
    /// Elasticity of walls. Not in DDNet 16.4.
    ground_elasticity_x = 0,
    /// Elasticity of floors and ceilings. Not in DDNet 16.4.
    ground_elasticity_y = 0,
}

/// Index of `laser_damage`, which Teeworlds 0.7 does not have.
const LASER_DAMAGE: usize = 30;
/// Index of `laser_bounce_num`. Its default is larger in DDNet.
const LASER_BOUNCE_NUM: usize = 28;

impl Tuning {
    /// Returns the defaults of the game.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let mut tuning = Self::ZERO;
        for (index, value) in DEFAULTS.iter().enumerate() {
            tuning.set(index, *value);
        }
        if rules.is_ddnet() {
            tuning.set(LASER_BOUNCE_NUM, 100_000);
        }
        tuning
    }

    /// Returns the tunings that a DDNet server sets at the start of each map.
    #[must_use]
    pub fn of_ddnet_server(rules: Rules) -> Self {
        Self {
            gun_speed: 1400.0,
            gun_curvature: 0.0,
            shotgun_speed: 500.0,
            shotgun_speeddiff: 0.0,
            shotgun_curvature: 0.0,
            ..Self::new(rules)
        }
    }

    /// Sets the tunings from the values of a message, in the order of the wire. Missing ones keep their value, and surplus
    /// ones are ignored.
    pub fn set_from_wire(&mut self, rules: Rules, values: impl IntoIterator<Item = i32>) {
        let skips_laser_damage = rules.is_07();
        let indices = (0..).filter(|index| !(skips_laser_damage && *index == LASER_DAMAGE));
        for (index, value) in indices.zip(values) {
            self.set(index, value);
        }
    }

    /// Sets a tuning by its name, as the command `tune` of the servers does. Returns whether there is such a tuning.
    pub fn set_by_name(&mut self, name: &str, value: f32) -> bool {
        let index = TUNING_NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
        if let Some(index) = index {
            self.set(index, truncate(value * 100.0));
        }
        index.is_some()
    }

    /// Sets a tuning by its index in [`TUNING_NAMES`], to a hundredth of `value`.
    fn set(&mut self, index: usize, value: i32) {
        if let Some(field) = self.by_index(index) {
            *field = float(value) / 100.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_hundredths_of_the_values_on_the_wire() {
        let tuning = Tuning::new(Rules::Teeworlds07);
        assert_eq!((tuning.ground_jump_impulse, tuning.gravity), (13.2, 0.5));
        assert_eq!(tuning.laser_bounce_num, 1.0);
        assert_eq!(Tuning::new(Rules::Ddnet20).laser_bounce_num, 1000.0);
        assert_eq!(TUNING_NAMES.len(), 47);
    }

    #[test]
    fn the_laser_damage_is_not_on_the_wire_of_0_7() {
        let values = 1..=33;
        let mut old = Tuning::new(Rules::Teeworlds06);
        old.set_from_wire(Rules::Teeworlds06, values.clone());
        assert_eq!((old.laser_damage, old.player_hooking), (0.31, 0.33));
        let mut new = Tuning::new(Rules::Teeworlds07);
        new.set_from_wire(Rules::Teeworlds07, values);
        assert_eq!((new.laser_damage, new.player_hooking), (5.0, 0.32));
    }
}
