use super::operation::{Content, Hex, Operation};
use super::violation::Violation;

/// Maximum number of attempts.
const MAX_ATTEMPTS: u32 = 300;

/// Removes operations as long as the remaining ones still violate the contract. Then shortens datagrams.
pub(super) fn shrink(
    operations: Vec<Operation>,
    violation: Violation,
    fails: impl Fn(&[Operation]) -> Option<Violation>,
) -> (Vec<Operation>, Violation) {
    let (mut shortest, mut last) = (operations, violation);
    let mut attempts = 0_u32;
    // Remove all operations at first, then half of them, and so on.
    let mut run = shortest.len();
    while run > 0 && attempts < MAX_ATTEMPTS {
        let mut at = 0_usize;
        let mut is_shorter = false;
        while at < shortest.len() && attempts < MAX_ATTEMPTS {
            attempts = attempts.saturating_add(1);
            let end = at.saturating_add(run).min(shortest.len());
            let mut fewer = shortest.clone();
            fewer.drain(at..end);
            match fails(&fewer) {
                Some(violation) => (shortest, last, is_shorter) = (fewer, violation, true),
                None => at = end,
            }
        }
        // Repeat for single operations: one may have been needed only by another one, which was removed.
        run = if run == 1 && is_shorter { 1 } else { run / 2 };
    }
    // Halve each datagram of arbitrary bytes as long as the violation remains.
    for at in 0..shortest.len() {
        loop {
            let mut shorter = shortest.clone();
            let Some(Operation::Receive(_, Content::Bytes(Hex(bytes)))) = shorter.get_mut(at) else { break };
            if bytes.is_empty() {
                break;
            }
            bytes.truncate(bytes.len() / 2);
            let Some(violation) = fails(&shorter) else { break };
            (shortest, last) = (shorter, violation);
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
