use super::support::{BOUNDS, WORD, agreed, hear, part, whole};
use crate::Format;
use crate::extension::{ExtensionInbound, ExtensionState};
use gamewire_machine::Role;

const FRAMES: usize = 200_000;

/// Returns a random number below `end`.
fn below(random: &mut u64, end: usize) -> usize {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 33) as usize % end
}

fn valid(random: &mut u64, next: &mut u16) -> Vec<u8> {
    match below(random, 8) {
        0 => WORD.encode(Role::Server),
        1 => {
            let index = below(random, 10) as u16;
            part(3, below(random, 4) as u16, 1_000, 100, index, &[7; 100])
        }
        2 => part(4, next.wrapping_add(1), 20, 10, below(random, 2) as u16, &[7; 10]),
        _ => {
            *next = next.wrapping_add(1);
            whole(next.wrapping_sub(1))
        }
    }
}

#[test]
fn r6_mutated_frames_in_any_order_never_break_a_session_nor_its_bounds() {
    let (mut random, mut ended, mut came) = (1, 0, 0);
    let (mut session, mut next) = (agreed(Format::V21), 0);
    for count in 0..FRAMES {
        let mut frame = valid(&mut random, &mut next);
        for _ in 0..below(&mut random, 4) / 2 {
            let at = below(&mut random, frame.len().min(14));
            frame[at] = below(&mut random, 256) as u8;
        }
        if below(&mut random, 10) == 0 {
            frame.truncate(below(&mut random, frame.len()));
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
