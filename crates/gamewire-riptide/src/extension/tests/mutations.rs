use super::support::{BOUNDS, WORD, agreed, hear, part, whole};
use crate::Format;
use crate::extension::{ExtensionInbound, ExtensionState};
use gamewire_machine::Role;
use gamewire_sim::random::Random;

const FRAMES: usize = 200_000;

fn valid(random: &mut Random, next: &mut u16) -> Vec<u8> {
    match random.below(8) {
        0 => WORD.encode(Role::Server),
        1 => {
            let index = random.below(10) as u16;
            part(3, random.below(4) as u16, 1_000, 100, index, &[7; 100])
        }
        2 => part(4, next.wrapping_add(1), 20, 10, random.below(2) as u16, &[7; 10]),
        _ => {
            *next = next.wrapping_add(1);
            whole(next.wrapping_sub(1))
        }
    }
}

#[test]
fn r6_mutated_frames_in_any_order_never_break_a_session_nor_its_bounds() {
    let (mut random, mut ended, mut came) = (Random::new(1), 0, 0);
    let (mut session, mut next) = (agreed(Format::V21), 0);
    for count in 0..FRAMES {
        let mut frame = valid(&mut random, &mut next);
        for _ in 0..random.below(4) / 2 {
            let at = random.below(frame.len().min(14));
            frame[at] = random.byte();
        }
        if random.below(10) == 0 {
            frame.truncate(random.below(frame.len()));
        }
        let heard = hear(&mut session, &frame);
        assert!(session.held_bytes() <= BOUNDS.reassembly_buffer + size_of::<ExtensionState>() + 2_000);
        while let Some(whole) = session.poll() {
            assert!(whole.message.bytes_in_use() <= BOUNDS.max_message_size);
            came += 1;
        }
        if heard == ExtensionInbound::Violation {
            (session, next) = (agreed(Format::ALL[count % 2]), 0);
            ended += 1;
        }
    }
    assert!(ended > 10_000 && came > 10_000, "{ended} ended, {came} came");
}
