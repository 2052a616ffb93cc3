use super::state::{Core, CoreContext};
use crate::number::saturated_add;
use crate::rules::TEE_SIZE;
use crate::vector::Vec2;

impl Core {
    /// Pushes tees apart, and pulls the tee that is hooked.
    pub(super) fn tick_players(&mut self, context: &CoreContext<'_>, id: usize, others: &mut [Option<Self>]) {
        let CoreContext { rules, tuning, .. } = *context;
        let is_ddnet = rules.is_ddnet();
        for (other_id, other) in others.iter_mut().enumerate() {
            let Some(other) = other.as_mut().filter(|_| other_id != id) else { continue };
            let is_apart = other.ddnet.team != self.ddnet.team || self.ddnet.is_solo || other.ddnet.is_solo;
            if is_ddnet && is_apart {
                continue;
            }
            let distance = self.at.distance(other.at);
            if is_ddnet && (distance.is_nan() || distance <= 0.0) {
                continue;
            }
            let can_collide = tuning.player_collision != 0.0
                && !(is_ddnet && (self.ddnet.is_collision_disabled || other.ddnet.is_collision_disabled));
            let collides = can_collide && distance < TEE_SIZE * 1.25 && distance > 0.0;
            let is_hooked = usize::try_from(self.hooked) == Ok(other_id) && tuning.player_hooking != 0.0;
            if !collides && !is_hooked {
                continue;
            }
            let direction = (self.at - other.at).normalized(is_ddnet);
            if collides {
                let strength = TEE_SIZE * 1.45 - distance;
                let mut share = 0.5;
                if f64::from(self.velocity.length()) > 0.0001 {
                    let along = self.velocity.normalized(is_ddnet).dot(direction);
                    share = 1.0 - (along + 1.0) / 2.0;
                }
                self.velocity += direction * strength * (share * 0.75);
                self.velocity *= 0.85;
            }
            let can_pull = is_hooked && !(is_ddnet && self.ddnet.is_hook_hit_disabled);
            if can_pull && distance > TEE_SIZE * 1.5 {
                let accel = tuning.hook_drag_accel * (distance / tuning.hook_length);
                let speed = tuning.hook_drag_speed;
                other.velocity = add(other.velocity, speed, direction, accel, 1.5);
                self.velocity = add(self.velocity, speed, direction, -accel, 0.25);
                if is_ddnet {
                    other.velocity = other.ddnet.restrictions.clamp(other.velocity);
                    self.velocity = self.ddnet.restrictions.clamp(self.velocity);
                }
            }
        }
        self.limit_speed(rules);
    }
}

/// Accelerates a velocity in a direction by `accel * factor`, at most to a speed. The order of the multiplications is
/// the same as in the games, because it decides the rounding.
fn add(velocity: Vec2, speed: f32, direction: Vec2, accel: f32, factor: f32) -> Vec2 {
    Vec2::new(
        saturated_add(-speed, speed, velocity.x, accel * direction.x * factor),
        saturated_add(-speed, speed, velocity.y, accel * direction.y * factor),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, GridLayers};
    use crate::rules::Rules;
    use crate::tile::MapTile;
    use crate::tuning::Tuning;

    fn with_two(rules: Rules, test: impl Fn(&CoreContext<'_>, Core, [Option<Core>; 2])) {
        let layers =
            GridLayers { width: 9, height: 9, game: vec![MapTile::default(); 81], ..GridLayers::default() };
        let (grid, tuning) = (Grid::new(rules, layers).unwrap(), Tuning::new(rules));
        let context =
            CoreContext { rules, grid: &grid, tuning: &tuning, open_switches: CoreContext::NO_OPEN_SWITCHES };
        let one = Core::new(Vec2::new(100.0, 100.0));
        let two = Core::new(Vec2::new(120.0, 100.0));
        test(&context, one, [None, Some(two)]);
    }

    #[test]
    fn tees_that_overlap_push_each_other() {
        with_two(Rules::Teeworlds07, |context, mut one, mut others| {
            one.tick_players(context, 0, &mut others);
            assert!(one.velocity.x < 0.0 && one.velocity.y == 0.0, "{one:?}");
            assert_eq!(others[1].unwrap().velocity, Vec2::ZERO);
        });
    }

    #[test]
    fn a_tee_in_solo_is_not_pushed() {
        with_two(Rules::Ddnet20, |context, mut one, mut others| {
            one.ddnet.is_solo = true;
            one.tick_players(context, 0, &mut others);
            assert_eq!(one.velocity, Vec2::ZERO);
        });
    }

    #[test]
    fn a_hooked_tee_is_pulled() {
        with_two(Rules::Ddnet20, |context, mut one, mut others| {
            others[1].as_mut().unwrap().at.x = 200.0;
            one.hooked = 1;
            one.tick_players(context, 0, &mut others);
            assert!(one.velocity.x > 0.0 && others[1].unwrap().velocity.x < 0.0);
        });
    }
}
