//! The list of legal actions, with the answers of the server.

use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};

use gamewire::freeciv::legal::{Actor, LegalList};
use gamewire::freeciv::{Player, orders};

/// The list, and the time of its updates.
pub(crate) struct Legal {
    pub(crate) list: LegalList,
    /// Updates of some actors: their number, time and longest time.
    pub(crate) updates: u32,
    pub(crate) total: Duration,
    pub(crate) longest: Duration,
}

impl Default for Legal {
    fn default() -> Self {
        Self { list: LegalList::new(), updates: 0, total: Duration::ZERO, longest: Duration::ZERO }
    }
}

impl Legal {
    /// Computes what changed, and asks the server about it.
    pub(crate) fn update(&mut self, player: &mut Player) -> Result<(), Box<dyn Error>> {
        let changes = player.changes();
        let begin = Instant::now();
        for change in &changes {
            self.list.on_change(player.world(), change);
        }
        self.list.update(player.world());
        let time = begin.elapsed();
        self.updates += 1;
        self.total += time;
        self.longest = self.longest.max(time);
        let questions = self.list.questions(player.world());
        let mut orders = Vec::new();
        for question in questions {
            orders.push((question, player.order(&orders::query_actions(question.unit, question.tile))?));
        }
        for (question, order) in orders {
            let reply = player.wait_for_reply(order)?;
            let actions = reply.legal_actions().map(|answer| answer.actions.clone()).unwrap_or_default();
            self.list.answer(player.world(), question, actions);
        }
        Ok(())
    }

    /// Returns all actors that can act.
    pub(crate) fn actors(&self) -> Vec<Actor> {
        let actors: BTreeSet<Actor> = self.list.entries().map(|entry| entry.key.actor).collect();
        actors.into_iter().collect()
    }
}
