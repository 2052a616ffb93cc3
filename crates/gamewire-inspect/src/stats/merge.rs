use std::mem;

use super::counting_trace::{Count, CountingTrace, MAX_CONVERSATIONS, intern_problem};
use super::totals::{ProblemCount, add};

impl CountingTrace {
    /// Adds the counts of another [share](crate::conversation::Share) of the same capture. Conversations get the
    /// numbers that they have in the whole capture, so call [`CountingTrace::take_counters`] first.
    pub fn merge(&mut self, other: Self) {
        self.frames.add(other.frames);
        for (count, number) in other.counts.iter().zip(0..) {
            let name = other.names.name(number);
            let number = name.and_then(|(layer, name)| self.names.number(layer, name));
            if let Some(total) = number.and_then(|number| self.named(number)) {
                total.add(count);
            }
        }
        for (problems, more) in [(&mut self.errors, other.errors), (&mut self.warnings, other.warnings)] {
            for (problem, count) in more {
                let index = intern_problem(problems, problem);
                if let Some((_, total)) = problems.get_mut(index) {
                    add(total, count);
                }
            }
        }
        add(&mut self.further_conversations, other.further_conversations);
        for (dialect, more) in other.further {
            let further = self.further.entry(dialect).or_default();
            add(&mut further.conversations, more.conversations);
            further.add(more.flow, ProblemCount { errors: more.errors, warnings: more.warnings });
        }
        self.conversations.extend(other.conversations);
        self.number_conversations();
    }

    /// Numbers the conversations in the order of their recognition. Conversations above the limit are no longer counted
    /// separately.
    fn number_conversations(&mut self) {
        let mut conversations = mem::take(&mut self.conversations);
        conversations.sort_by_key(|conversation| conversation.recognized);
        for totals in
            conversations.drain(MAX_CONVERSATIONS.min(conversations.len())..).filter_map(|it| it.totals)
        {
            add(&mut self.further_conversations, 1);
            self.further.entry(totals.name()).or_default().add_conversation(&totals);
        }
        for (conversation, number) in conversations.iter_mut().zip(1..) {
            if let Some(totals) = &mut conversation.totals {
                totals.number = number;
            }
        }
        self.conversations = conversations;
    }
}

impl Count {
    fn add(&mut self, other: &Self) {
        if !other.protocol.is_empty() {
            self.protocol = other.protocol;
        }
        add(&mut self.client, other.client);
        add(&mut self.server, other.server);
        add(&mut self.bytes, other.bytes);
    }
}
