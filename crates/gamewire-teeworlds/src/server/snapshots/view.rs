use super::client::Shown;
use super::frame::Frame;
use crate::Dialect;
use crate::model::message::ClientId;
use crate::model::world::{ExtendedItem, World};
use crate::model::{MAX_INTS, Point, insert_extended};
use crate::shared::extended::ExtendedObject;
use crate::shared::object::ObjectSet as _;
use crate::shared::snapshot::{Key, MAX_BYTES, MAX_ITEMS, Snapshot, SnapshotFull};
use crate::shared::value::Team;

/// The part of the world that a client will see at this tick.
///
/// A client with a character sees the objects near it: characters, pickups, lasers and events at most 1000 to the side,
/// 800 up or down, and 1100 away. Other objects are visible everywhere. A client without a character sees everything.
#[derive(Debug)]
pub struct View<'a> {
    frame: &'a Frame,
    shown: &'a mut Shown,
    dialect: Dialect,
    center: Option<Point>,
}

impl<'a> View<'a> {
    /// Creates the view of a client at its own character.
    pub(super) fn new(
        frame: &'a Frame,
        shown: &'a mut Shown,
        dialect: Dialect,
        viewer: ClientId,
        world: &World,
    ) -> Self {
        shown.visible = frame.all;
        let player = world.player(viewer);
        let is_playing = player.is_some_and(|player| player.team != Team::SPECTATORS);
        let character = world.character(viewer).filter(|_| is_playing);
        let center = character.map(|character| (character.x, character.y));
        // In 0.7 the numbers of a player are the same for all clients.
        if let Some(player) = player.filter(|_| dialect != Dialect::V07) {
            dialect.insert_own_player(player, &mut shown.own).ok();
        }
        let mut view = Self { frame, shown, dialect, center };
        view.replace_shared();
        view
    }

    /// Returns the dialect of the client.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Shows the client the objects near a position.
    pub const fn center_on(&mut self, x: i32, y: i32) {
        self.center = Some((x, y));
    }

    /// Shows the client everything.
    pub const fn see_all(&mut self) {
        self.center = None;
    }

    /// Hides the character of a player at any position.
    pub fn hide(&mut self, client: ClientId) {
        self.remove(self.dialect.character_key(client));
        let extension = ExtendedObject::DdnetCharacter(Default::default()).id();
        if let Some(kind) = ExtendedObject::type_of(extension) {
            self.remove(Key { kind, id: client.0.into() });
        }
    }

    /// Adds an item that only this client gets. It replaces the item with the same key.
    ///
    /// # Errors
    /// [`SnapshotFull`] if the snapshot is full, or if an item that was added before has another size. Nothing changes.
    pub fn insert(&mut self, key: Key, ints: &[i32]) -> Result<(), SnapshotFull> {
        self.insert_with(ints.len(), |own| own.insert(key, ints))
    }

    /// Adds an object of DDNet that only this client gets. It replaces the object with the same id. Clients of other
    /// dialects do not get it.
    ///
    /// # Errors
    /// [`SnapshotFull`] if the snapshot is full.
    pub fn insert_extended(&mut self, item: &ExtendedItem) -> Result<(), SnapshotFull> {
        match self.dialect {
            Dialect::Tken => self.insert_with(MAX_INTS, |own| insert_extended(&item.object, item.id, own)),
            Dialect::V06 | Dialect::V065 | Dialect::V07 => Ok(()),
        }
    }

    /// Inserts at most two items of `max_ints` integers each.
    fn insert_with(
        &mut self,
        max_ints: usize,
        insert: impl FnOnce(&mut Snapshot) -> Result<(), SnapshotFull>,
    ) -> Result<(), SnapshotFull> {
        let Self { frame: Frame { snapshot: shared, .. }, shown: Shown { own, .. }, .. } = self;
        let items = shared.len().saturating_add(own.len()).saturating_add(2);
        let bytes = max_ints.saturating_mul(8).saturating_add(16);
        if items > MAX_ITEMS || shared.bytes().saturating_add(own.bytes()).saturating_add(bytes) > MAX_BYTES {
            return Err(SnapshotFull);
        }
        insert(own)?;
        self.replace_shared();
        Ok(())
    }

    /// Removes the items of the frame that `own` replaces.
    fn replace_shared(&mut self) {
        for item in self.shown.own.items() {
            if let Ok(at) = self.frame.snapshot.find(item.key) {
                self.shown.visible.remove(at);
            }
        }
    }

    fn remove(&mut self, key: Key) {
        if let Ok(at) = self.frame.snapshot.find(key) {
            self.shown.visible.remove(at);
        }
    }

    /// Removes the items that are too far from the center.
    pub(super) fn finish(self) {
        if let Some(center) = self.center {
            self.frame.clip(center, &mut self.shown.visible);
        }
    }
}
