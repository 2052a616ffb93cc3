use super::client::ClientSnapshots;
use super::frames::Frames;
use super::view::View;
use super::write::DeltaWriter;
use crate::Dialect;
use crate::model::World;
use crate::model::message::ClientId;
use crate::shared::snapshot::Messages;

/// The frames of all versions.
#[derive(Debug, Default)]
pub(in crate::server) struct Snapshots {
    /// The frames of 0.6, of 0.6 with the objects of DDNet, and of 0.7.
    frames: [Frames; 3],
    writer: DeltaWriter,
}

impl Snapshots {
    /// Returns the messages of the world's snapshot for a client, or `None` if the snapshot does not fit into them. `show`
    /// changes the part of the world that the client sees.
    pub(in crate::server) fn send(
        &mut self,
        client: &mut ClientSnapshots,
        viewer: ClientId,
        dialect: Dialect,
        world: &World,
        show: impl FnOnce(&mut View<'_>),
    ) -> Option<Messages<'_>> {
        let Self { frames: [v06, ddnet, v07], writer } = self;
        let frames = match dialect {
            Dialect::V06 | Dialect::V065 => v06,
            Dialect::Tken => ddnet,
            Dialect::V07 => v07,
        };
        let frame = frames.of(world, dialect);
        let mut shown = client.start(world.tick);
        let mut view = View::new(frame, &mut shown, dialect, viewer, world);
        show(&mut view);
        view.finish();
        frames.send(client, shown, dialect, writer)
    }

    /// Drops all frames. The caller does this when there is no receiver.
    pub(in crate::server) fn clear(&mut self) {
        self.frames = Default::default();
    }

    /// Returns the memory of the frames in bytes. The buffers of the writer have a fixed size.
    pub(in crate::server) fn held_bytes(&self) -> usize {
        self.frames.iter().map(Frames::held_bytes).sum()
    }
}
