use core::ops::Range;

use gamewire_wire::{CodecError, Writer};

use super::bits::Bits;
use super::client::Shown;
use super::difference::Difference;
use super::frame::Frame;
use crate::shared::pack::pack_int;
use crate::shared::snapshot::{Item, Key, MAX_PACKED, Sizes, count, write_update};

/// A frame with the part of it that a client gets.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) frame: &'a Frame,
    pub(super) shown: &'a Shown,
}

/// The acknowledged snapshot of a client, and the difference between the frames.
#[derive(Clone, Copy)]
pub(super) struct Base<'a> {
    pub(super) view: View<'a>,
    pub(super) difference: &'a Difference,
}

/// The reason why a delta was not written.
pub(super) enum NoDelta {
    /// An item changed its size.
    Resized,
    /// The delta is too long for all parts of a snapshot.
    TooLong,
}

impl From<CodecError> for NoDelta {
    fn from(_: CodecError) -> Self {
        Self::TooLong
    }
}

/// Buffers for writing deltas.
#[derive(Debug)]
pub(super) struct DeltaWriter {
    deleted: Vec<Key>,
    updates: Vec<u8>,
    delta: Vec<u8>,
}

impl Default for DeltaWriter {
    fn default() -> Self {
        Self { deleted: Vec::new(), updates: vec![0; MAX_PACKED], delta: vec![0; MAX_PACKED] }
    }
}

impl<'a> View<'a> {
    /// Returns the integers of an item, if the client gets it.
    fn get(&self, key: Key) -> Option<&'a [i32]> {
        self.shown.own.get(key).or_else(|| {
            let at = self.frame.snapshot.find(key).ok().filter(|at| self.shown.visible.contains(*at))?;
            self.frame.snapshot.item(at).map(|item| item.ints)
        })
    }
}

impl DeltaWriter {
    /// Returns the first bytes of the last delta.
    pub(super) fn written(&self, length: usize) -> &[u8] {
        self.delta.get(..length).unwrap_or_default()
    }

    /// Writes the delta from `base` to `new`. Returns its length, which is 0 if they are equal.
    pub(super) fn write(
        &mut self,
        new: View<'_>,
        base: Option<Base<'_>>,
        sizes: Sizes,
    ) -> Result<usize, NoDelta> {
        let Self { deleted, updates, delta } = self;
        deleted.clear();
        if let Some(base) = base {
            collect_deleted(new, base, deleted);
        }
        let mut to = Writer::new(updates);
        let num_updates = write_updates(new, base, sizes, &mut to)?;
        if deleted.is_empty() && num_updates == 0 {
            return Ok(0);
        }
        let mut whole = Writer::new(delta);
        for int in [count(deleted.len()), count(num_updates), 0] {
            pack_int(int, &mut whole)?;
        }
        for key in deleted {
            pack_int(key.to_wire(), &mut whole)?;
        }
        whole.bytes(to.written())?;
        Ok(whole.len())
    }
}

/// Adds the keys of the items that the client no longer gets.
fn collect_deleted(new: View<'_>, base: Base<'_>, deleted: &mut Vec<Key>) {
    let gone = base.difference.gone(&base.view.shown.visible, &new.shown.visible);
    let shared = gone.iter().filter_map(|at| base.view.frame.snapshot.item(at)).map(|item| item.key);
    deleted.extend(shared.filter(|key| new.shown.own.get(*key).is_none()));
    let own = base.view.shown.own.items().map(|item| item.key);
    deleted.extend(own.filter(|key| new.get(*key).is_none()));
    deleted.sort_unstable();
}

/// Writes the updates in the order of their keys. Returns their number.
fn write_updates(
    new: View<'_>,
    base: Option<Base<'_>>,
    sizes: Sizes,
    to: &mut Writer<'_>,
) -> Result<usize, NoDelta> {
    let View { frame, shown } = new;
    // The items that the client got before.
    let known = base.map_or_else(Bits::default, |base| {
        base.difference.to_new(&base.view.shown.visible).and(&shown.visible)
    });
    let mut due = shown.visible.without(&known);
    if let Some(Base { difference, .. }) = base {
        if !known.and(&difference.resized).is_empty() {
            return Err(NoDelta::Resized);
        }
        due = due.or(&known.and(&difference.changed));
    }
    let mut updates = Updates { new, base, known, sizes, num_updates: 0, run: 0..0, to };
    let mut due = due.iter().peekable();
    for item in shown.own.items() {
        let (Ok(next) | Err(next)) = frame.snapshot.find(item.key);
        while let Some(at) = due.next_if(|at| *at < next) {
            updates.put_shared(at)?;
        }
        updates.put(item, base.and_then(|base| base.view.get(item.key)))?;
    }
    due.try_for_each(|at| updates.put_shared(at))?;
    updates.flush()?;
    Ok(updates.num_updates)
}

/// The state of writing updates.
struct Updates<'a, 'w, 'b> {
    new: View<'a>,
    base: Option<Base<'a>>,
    /// The items of the frame that the client got before.
    known: Bits,
    sizes: Sizes,
    num_updates: usize,
    /// Successive updates of the difference that have not been copied yet.
    run: Range<u32>,
    to: &'w mut Writer<'b>,
}

impl Updates<'_, '_, '_> {
    /// Writes a changed or new item of the frame.
    fn put_shared(&mut self, at: usize) -> Result<(), NoDelta> {
        if let Some(base) = self.base.filter(|_| self.known.contains(at)) {
            let range = base.difference.packed.range(at);
            if range.start != self.run.end {
                self.flush()?;
                self.run = range;
            } else {
                self.run.end = range.end;
            }
            self.num_updates = self.num_updates.saturating_add(1);
            return Ok(());
        }
        let Some(item) = self.new.frame.snapshot.item(at) else { return Ok(()) };
        self.put(item, self.base.and_then(|base| base.view.shown.own.get(item.key)))
    }

    /// Writes an item, unless it is equal to the old one.
    fn put(&mut self, item: Item<'_>, old: Option<&[i32]>) -> Result<(), NoDelta> {
        self.flush()?;
        match old {
            Some(old) if old == item.ints => return Ok(()),
            Some(old) if old.len() != item.ints.len() => return Err(NoDelta::Resized),
            Some(old) => {
                let differences = item.ints.iter().zip(old).map(|(new, old)| new.wrapping_sub(*old));
                write_update(item.key, differences, self.sizes, self.to)?;
            }
            None => write_update(item.key, item.ints.iter().copied(), self.sizes, self.to)?,
        }
        self.num_updates = self.num_updates.saturating_add(1);
        Ok(())
    }

    /// Copies the successive updates.
    fn flush(&mut self) -> Result<(), NoDelta> {
        if let Some(base) = self.base {
            self.to.bytes(base.difference.packed.get(self.run.clone()))?;
            self.run.start = self.run.end;
        }
        Ok(())
    }
}
