use std::collections::VecDeque;

/// Maximum number of packets of a client that the server has not processed.
const MAX_PENDING: usize = 16_384;

/// How the proxy treats the server's answer to one packet. An answer is everything that the server sends between
/// PROCESSING_STARTED and PROCESSING_FINISHED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The server's answer is forwarded.
    Forwarded,
    /// The proxy sends an empty answer, because the server does not receive the packet.
    Made,
    /// The client did not send the packet: the content of the answer is forwarded without its STARTED and FINISHED.
    Unframed,
}

/// The packets of a client that the server has not answered yet. Both sides count packets instead of sending sequence
/// numbers, so the client must receive exactly one answer for each packet, in the order it sent them.
#[derive(Debug, Default)]
pub(super) struct Answers {
    waiting: VecDeque<Answer>,
}

/// The client has more than [`MAX_PENDING`] unanswered packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

impl Answers {
    /// Records that the client's next packet is forwarded to the server.
    pub(super) fn forwarded(&mut self) -> Result<(), TooMany> {
        self.push(Answer::Forwarded)
    }

    /// Records that the client's next packet is dropped, or is sent to the server later.
    pub(super) fn withheld(&mut self) -> Result<(), TooMany> {
        self.push(Answer::Made)
    }

    /// Records a packet to the server that the client does not send at this point.
    pub(super) fn added(&mut self) -> Result<(), TooMany> {
        self.push(Answer::Unframed)
    }

    fn push(&mut self, answer: Answer) -> Result<(), TooMany> {
        if self.waiting.len() >= MAX_PENDING {
            return Err(TooMany);
        }
        self.waiting.push_back(answer);
        Ok(())
    }

    /// Returns the number of empty answers that the proxy must send to the client now.
    pub(super) fn take_made(&mut self) -> usize {
        let made = self.waiting.iter().take_while(|answer| **answer == Answer::Made).count();
        self.waiting.drain(..made);
        made
    }

    /// Returns whether to forward a PROCESSING_STARTED to the client.
    pub(super) fn on_started(&self) -> bool {
        self.waiting.front() != Some(&Answer::Unframed)
    }

    /// Returns whether to forward a PROCESSING_FINISHED to the client.
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
        assert_eq!((0..MAX_PENDING).map(|_| answers.forwarded()).find(Result::is_err), None);
        assert_eq!(answers.forwarded(), Err(TooMany));
    }
}
