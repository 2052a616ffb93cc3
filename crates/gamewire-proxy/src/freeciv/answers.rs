use std::collections::VecDeque;

/// Maximum number of packets of a client that the server has not processed.
const MAX: usize = 16_384;

/// The answer to a packet of the client: what the server sends between PROCESSING_STARTED and PROCESSING_FINISHED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The server's.
    Forwarded,
    /// Empty, for a packet that the server does not get.
    Made,
    /// For a packet that the client did not send: only its content is forwarded.
    Unframed,
}

/// The packets of a client that wait for their answers. Both sides count packets instead of sending numbers, so a client must
/// get one answer for each packet that it sent, in their order.
#[derive(Debug, Default)]
pub(super) struct Answers {
    waiting: VecDeque<Answer>,
}

/// Too many packets of the client were not processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

impl Answers {
    /// The client's next packet goes to the server.
    pub(super) fn forwarded(&mut self) -> Result<(), TooMany> {
        self.push(Answer::Forwarded)
    }

    /// The client's next packet does not go to the server, or later.
    pub(super) fn withheld(&mut self) -> Result<(), TooMany> {
        self.push(Answer::Made)
    }

    /// A packet goes to the server that the client did not send now.
    pub(super) fn added(&mut self) -> Result<(), TooMany> {
        self.push(Answer::Unframed)
    }

    fn push(&mut self, answer: Answer) -> Result<(), TooMany> {
        if self.waiting.len() >= MAX {
            return Err(TooMany);
        }
        self.waiting.push_back(answer);
        Ok(())
    }

    /// Returns the number of empty answers that the client is due now.
    pub(super) fn take_made(&mut self) -> usize {
        let made = self.waiting.iter().take_while(|answer| **answer == Answer::Made).count();
        self.waiting.drain(..made);
        made
    }

    /// Returns whether the client gets a PROCESSING_STARTED of the server.
    pub(super) fn on_started(&self) -> bool {
        self.waiting.front() != Some(&Answer::Unframed)
    }

    /// Returns whether the client gets a PROCESSING_FINISHED of the server.
    pub(super) fn on_finished(&mut self) -> bool {
        self.waiting.pop_front() != Some(Answer::Unframed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_packet_of_the_client_gets_one_answer_in_order() {
        let mut answers = Answers::default();
        answers.forwarded().unwrap();
        answers.withheld().unwrap();
        answers.added().unwrap();
        answers.withheld().unwrap();
        assert_eq!(answers.take_made(), 0, "the first answer is the server's");
        assert!(answers.on_started() && answers.on_finished());
        assert_eq!(answers.take_made(), 1);
        assert!(!answers.on_started() && !answers.on_finished());
        assert_eq!(answers.take_made(), 1);
    }

    #[test]
    fn p1_a_client_whose_packets_are_never_processed_is_bounded() {
        let mut answers = Answers::default();
        assert_eq!((0..MAX).map(|_| answers.forwarded()).find(Result::is_err), None);
        assert_eq!(answers.forwarded(), Err(TooMany));
    }
}
