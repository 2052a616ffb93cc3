use super::operation::{Content, Hex, Operation};
use super::violation::Violation;

/// Maximum number of attempts.
const MAX_ATTEMPTS: u32 = 300;

/// Takes operations away as long as the rest still breaks, then bytes.
pub(super) fn shrink(
    operations: Vec<Operation>,
    breach: Violation,
    breaks: impl Fn(&[Operation]) -> Option<Violation>,
) -> (Vec<Operation>, Violation) {
    let (operations, breach) = shrink_operations(operations, breach, &breaks);
    shrink_bytes(operations, breach, &breaks)
}

/// Half of the operations go at first, then ever fewer at a time.
fn shrink_operations(
    operations: Vec<Operation>,
    breach: Violation,
    breaks: &impl Fn(&[Operation]) -> Option<Violation>,
) -> (Vec<Operation>, Violation) {
    let (mut shortest, mut last) = (operations, breach);
    let mut attempts = 0_u32;
    let mut run = shortest.len();
    while run > 0 {
        let mut at = 0_usize;
        let mut is_shorter = false;
        while at < shortest.len() {
            attempts = attempts.saturating_add(1);
            if attempts > MAX_ATTEMPTS {
                return (shortest, last);
            }
            let end = at.saturating_add(run);
            let kept = |index: usize| index < at || index >= end;
            let fewer: Vec<Operation> = (0..)
                .zip(&shortest)
                .filter(|(index, _)| kept(*index))
                .map(|(_, kept)| kept.clone())
                .collect();
            match breaks(&fewer) {
                Some(breach) => (shortest, last, is_shorter) = (fewer, breach, true),
                None => at = end,
            }
        }
        // Single operations are tried again: one may have been needed only by another that is gone.
        run = if run == 1 && is_shorter { 1 } else { run / 2 };
    }
    (shortest, last)
}

/// Each datagram of arbitrary bytes is cut in half, as often as that goes.
fn shrink_bytes(
    operations: Vec<Operation>,
    breach: Violation,
    breaks: &impl Fn(&[Operation]) -> Option<Violation>,
) -> (Vec<Operation>, Violation) {
    let (mut shortest, mut last) = (operations, breach);
    for at in 0..shortest.len() {
        loop {
            let mut shorter = shortest.clone();
            let Some(Operation::Receive(_, Content::Bytes(Hex(bytes)))) = shorter.get_mut(at) else { break };
            if bytes.is_empty() {
                break;
            }
            bytes.truncate(bytes.len() / 2);
            let Some(breach) = breaks(&shorter) else { break };
            (shortest, last) = (shorter, breach);
        }
    }
    (shortest, last)
}

#[cfg(test)]
mod tests {
    use super::super::operation::Source;
    use super::super::violation::Property;
    use super::*;

    fn bytes(length: usize) -> Operation {
        Operation::Receive(Source::Peer, Content::Bytes(Hex(vec![0; length])))
    }

    #[test]
    fn what_is_not_needed_goes_and_what_is_needed_stays_in_order() {
        let needed = [Operation::Command("open", 1), bytes(5), Operation::Timeout];
        let mut long = vec![Operation::PollEvent; 40];
        long.insert(7, needed[0].clone());
        long.insert(20, bytes(1_400));
        long.push(needed[2].clone());
        let breaks = |operations: &[Operation]| {
            let is_long = |operation: &Operation| {
                matches!(operation,
                Operation::Receive(_, Content::Bytes(Hex(bytes))) if bytes.len() >= 5)
            };
            let first = operations.iter().position(|operation| *operation == needed[0])?;
            let second = operations.iter().position(is_long)?;
            let third = operations.iter().position(|operation| *operation == needed[2])?;
            (first < second && second < third).then(|| Violation::new(Property::NoPanic, "still"))
        };
        let (short, breach) = shrink(long, Violation::new(Property::NoPanic, "at first"), breaks);
        assert_eq!(short, needed);
        assert_eq!(breach.detail, "still");
    }
}
