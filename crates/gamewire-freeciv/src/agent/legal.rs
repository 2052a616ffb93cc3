//! The list of legal actions, and performing its entries.

use super::Agent;
use super::event::CommandId;
use super::pending::Step;
use super::reply::{Answer, CommandOutcome, Reply};
use super::view::LegalKeyView;
use crate::legal::{self, ActionQuestion, Actor, LegalKey, LegalKind, LegalList};
use crate::number::Action;
use crate::orders;
use crate::session::client::SendError;
use crate::world::{LegalAction, World};

impl Agent {
    /// Returns the list of legal actions, which is kept from the first command that needs it on.
    fn legal_list(&mut self) -> (&mut LegalList, &World) {
        let Self { legal, player, .. } = self;
        let (list, world) = (legal.get_or_insert_with(|| Box::new(LegalList::new())), player.world());
        list.update(world);
        (list, world)
    }

    /// Replies with the list once the server has sent the answers that the list needs.
    pub(super) fn list_legal_actions(&mut self, id: CommandId, changed: bool) {
        self.collect();
        let (list, world) = self.legal_list();
        let questions = list.questions(world);
        let last = questions.len().checked_sub(1);
        for (index, ActionQuestion { unit, tile }) in questions.into_iter().enumerate() {
            let step = Step::ListPart { unit, tile, changed, is_last: Some(index) == last };
            self.send(id, step, &orders::query_actions(unit, tile));
        }
        if last.is_none() {
            self.reply_with_list(id, changed);
        }
    }

    /// Handles the server's answer about a unit and a tile.
    pub(super) fn on_list_part(
        &mut self,
        id: CommandId,
        question: ActionQuestion,
        actions: Vec<LegalAction>,
        changed: bool,
        is_last: bool,
    ) {
        let Self { legal, player, .. } = self;
        if let Some(list) = legal {
            list.answer(player.world(), question, actions);
        }
        if is_last {
            self.reply_with_list(id, changed);
        }
    }

    fn reply_with_list(&mut self, id: CommandId, changed: bool) {
        let Some(list) = &mut self.legal else { return };
        let actors = list.take_changed();
        let answer = if changed {
            let entries = actors.iter().flat_map(|actor| list.of(*actor)).copied().collect();
            Answer::LegalList { changed: Some(actors.into_iter().collect()), entries }
        } else {
            Answer::LegalList { changed: None, entries: list.entries().copied().collect() }
        };
        self.reply(id, Reply::answer(answer));
    }

    /// Performs a legal action by its key.
    pub(super) fn perform_key(&mut self, id: CommandId, view: &LegalKeyView<'_>, name: Option<&str>) {
        self.collect();
        let (list, world) = self.legal_list();
        let key = match view.key(world) {
            Ok(key) => key,
            Err(error) => return self.fail(id, error),
        };
        // The server itself checks the actions that it offers.
        let is_offered = matches!(key.kind, LegalKind::Act(_)) || list.get(&key).is_some();
        if !is_offered {
            let text = format!("{:?} is not legal", view.kind);
            return self.reply(id, Reply::failed(CommandOutcome::Illegal, text));
        }
        if let (LegalKind::Act(Action::FoundCity), Actor::Unit(unit)) = (key.kind, key.actor) {
            return match name {
                Some(name) => self.found(id, unit, None, name),
                None => {
                    let step = Step::Name { unit, action: None };
                    self.send(id, step, &orders::query_city_name(unit));
                }
            };
        }
        match legal::order(world, &key) {
            Ok(order) => {
                let mut sent = self.player.order(&order);
                if matches!(sent, Err(SendError::Unchanged)) && key.kind == LegalKind::Rally {
                    sent = self.repeat_rally(&key).and_then(|()| self.player.order(&order));
                }
                let step = if key.kind == LegalKind::EndTurn { Step::Turn } else { Step::Reply };
                self.expect(id, step, sent);
            }
            Err(error) => self.fail(id, error.to_string()),
        }
    }

    /// Removes the rally point of a city, because a client cannot send the same rally point twice in a row.
    fn repeat_rally(&mut self, key: &LegalKey) -> Result<(), SendError> {
        let clear = LegalKey { kind: LegalKind::ClearRally, ..*key };
        let Ok(order) = legal::order(self.player.world(), &clear) else { return Err(SendError::Unchanged) };
        self.player.order(&order).map(|_| ())
    }
}
