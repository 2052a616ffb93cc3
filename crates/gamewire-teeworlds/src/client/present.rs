use std::sync::Arc;

use gamewire_tee::game_map::GameMap;
use gamewire_tee::tuning::Tuning;

use super::{Client, ClientState};
use crate::model::World;
use crate::prediction::{Predicted, SentInputs, predict};

/// The present: the world after the last snapshot.
impl Client {
    /// Sets the map that predictions use. A change of the map removes it.
    pub fn set_map(&mut self, map: Option<Arc<GameMap>>) {
        self.shared.map = map;
    }

    /// Returns the map, if it was set.
    pub const fn map(&self) -> Option<&Arc<GameMap>> {
        self.shared.map.as_ref()
    }

    /// Returns the tick at which the server will use an input that is sent now, or `None` before the client is in the
    /// game. It uses the time of the last call that had a time as an argument.
    pub fn input_tick(&self) -> Option<i32> {
        match &self.state {
            ClientState::Online(_, state) => state.input_tick(self.shared.clock.now()),
            ClientState::Connecting(_) | ClientState::Closed => None,
        }
    }

    /// Returns the tick of the next input that the client sends, or `None` before the client is in the game. It is
    /// [`Client::input_tick`], or the tick after it if an input for that tick was sent.
    pub fn next_input_tick(&self) -> Option<i32> {
        let sent = self.sent_inputs().and_then(SentInputs::last_tick);
        let next = sent.map_or(i32::MIN, |last| last.saturating_add(1));
        self.input_tick().map(|tick| tick.max(next))
    }

    /// Returns the input that the server uses for the client's tee at a tick, if it has received all inputs in time.
    pub fn sent_input(&self, tick: i32) -> crate::model::Input {
        self.sent_inputs().map(|inputs| inputs.at(tick)).unwrap_or_default()
    }

    /// Returns the world at a tick by dead reckoning: see [`World::at`].
    pub fn world_at(&self, tick: i32) -> World {
        self.world().at(tick, self.map().map(Arc::as_ref))
    }

    /// Predicts the world at [`Client::input_tick`]: the own tee by the inputs that the client has sent, all other tees by
    /// dead reckoning. [`Predicted::basis`] shows whether the map was known. Before the client is in the game, it returns
    /// the world of the latest snapshot.
    pub fn predicted(&self) -> Predicted {
        self.predicted_at(self.input_tick().unwrap_or_default())
    }

    /// Predicts the world at a tick, as [`Client::predicted`] does. `tick` is limited to the tick of the latest snapshot and
    /// [`MAX_AHEAD`](crate::prediction::MAX_AHEAD) ticks after it.
    pub fn predicted_at(&self, tick: i32) -> Predicted {
        let none = SentInputs::default();
        let inputs = self.sent_inputs().unwrap_or(&none);
        let map = self.map().map(Arc::as_ref);
        predict(self.world(), tick, map, |map| self.tuning_of(map), inputs)
    }

    /// Returns the tunings that the server has announced, for a map.
    pub fn tuning_of(&self, map: &GameMap) -> Tuning {
        let mut tuning = *map.defaults();
        tuning.set_from_wire(map.rules(), self.shared.announced.tune_params.iter().copied());
        tuning
    }

    const fn sent_inputs(&self) -> Option<&SentInputs> {
        match &self.state {
            ClientState::Online(_, state) => state.inputs(),
            ClientState::Connecting(_) | ClientState::Closed => None,
        }
    }
}
