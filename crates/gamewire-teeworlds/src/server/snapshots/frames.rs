use core::mem::replace;
use std::collections::VecDeque;

use super::client::{ClientSnapshots, Shown};
use super::difference::Difference;
use super::frame::Frame;
use super::write::{Base, DeltaWriter, NoDelta, View};
use crate::Dialect;
use crate::model::World;
use crate::shared::snapshot::{MAX_AGE_TICKS, Messages};

/// The frames of three seconds in one version, and the differences to the last frame.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The frame that is sent to clients now.
    last: Frame,
    /// The frames before the last one, ordered by tick.
    frames: VecDeque<Frame>,
    /// Dropped frames. Their memory is reused.
    spare: Vec<Frame>,
    differences: Vec<Difference>,
    /// The number of entries of `differences` that lead to the last frame. The entries after them are kept to reuse
    /// their memory.
    num_differences: usize,
}

impl Frames {
    /// Returns the frame of the tick of a world. It is built for the first receiver and reused for the others.
    pub(super) fn of(&mut self, world: &World, dialect: Dialect) -> &Frame {
        if self.last.tick != world.tick {
            let oldest = world.tick.saturating_sub(MAX_AGE_TICKS);
            while self.frames.front().is_some_and(|frame| frame.tick < oldest) {
                self.spare.extend(self.frames.pop_front());
            }
            let next = self.spare.pop().unwrap_or_default();
            self.frames.push_back(replace(&mut self.last, next));
            self.last.build(world, dialect);
            self.num_differences = 0;
        }
        &self.last
    }

    /// Stores the part of the last frame that a client gets, and returns the messages that send it. Returns `None` if
    /// the delta is too long for them.
    pub(super) fn send<'a>(
        &mut self,
        client: &mut ClientSnapshots,
        shown: Shown,
        dialect: Dialect,
        writer: &'a mut DeltaWriter,
    ) -> Option<Messages<'a>> {
        let base = client.base().and_then(|base| Some((base, self.difference(base.tick, dialect)?)));
        let new = View { frame: &self.last, shown: &shown };
        let base = base.and_then(|(shown, difference)| {
            let view = View { frame: self.frame(shown.tick)?, shown };
            Some(Base { view, difference: self.differences.get(difference)? })
        });
        let is_missing = base.is_none();
        let base_tick = base.map_or(-1, |base| base.view.shown.tick);
        let sizes = dialect.item_sizes();
        let (base_tick, length) = match writer.write(new, base, sizes) {
            Err(NoDelta::Resized) => (-1, writer.write(new, None, sizes)),
            written => (base_tick, written),
        };
        let crc = new.frame.crc(&shown.visible).wrapping_add(shown.own.crc());
        if is_missing {
            client.acks.on_missing_base();
        }
        let Ok(length) = length else {
            client.discard(shown);
            return None;
        };
        let tick = shown.tick;
        client.keep(shown);
        Some(Messages::new(tick, tick.wrapping_sub(base_tick), crc, writer.written(length)))
    }

    /// Returns the index of the difference from the frame of `base` to the last frame. It is built for the first
    /// receiver and reused for the others.
    fn difference(&mut self, base: i32, dialect: Dialect) -> Option<usize> {
        let built = self.differences.iter().take(self.num_differences);
        if let Some(at) = built.enumerate().find(|(_, built)| built.base_tick == base).map(|(at, _)| at) {
            return Some(at);
        }
        let at = self.num_differences;
        if self.differences.len() <= at {
            self.differences.push(Difference::default());
        }
        let base = self.frames.iter().find(|frame| frame.tick == base)?;
        self.differences.get_mut(at)?.build(base, &self.last, dialect.item_sizes());
        self.num_differences = at.saturating_add(1);
        Some(at)
    }

    fn frame(&self, tick: i32) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.tick == tick)
    }

    /// Returns the allocated memory in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let frames: usize =
            self.frames.iter().chain(&self.spare).chain([&self.last]).map(Frame::held_bytes).sum();
        let differences: usize = self.differences.iter().map(Difference::held_bytes).sum();
        frames.saturating_add(differences)
    }
}
