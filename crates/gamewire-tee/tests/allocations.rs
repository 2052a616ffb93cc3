//! A world does not allocate once it is warm.

use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;

use crate::support::{Random, room, tile, world};

#[test]
fn a_tick_of_sixteen_tees_does_not_allocate() {
    for rules in [Rules::Teeworlds06, Rules::Teeworlds07, Rules::Ddnet16, Rules::Ddnet20] {
        let mut world = world(rules, room(60, 40));
        let mut random = Random(7);
        let mut inputs = [TeeInput::default(); 16];
        for (id, column) in (3..).step_by(3).take(16).enumerate() {
            world.spawn(id, tile(column, 37));
        }
        let mut play = |ticks: u32| {
            for _ in 0..ticks {
                for (id, input) in inputs.iter_mut().enumerate() {
                    random.change(input);
                    world.direct_input(id, *input);
                    world.set_input(id, *input);
                }
                world.step();
            }
        };
        play(100);
        let allocated = allocation_counter::measure(|| play(500));
        assert_eq!(allocated.count_total, 0, "{rules:?}");
    }
}
