use super::game_view::Transition;
use crate::client::context::Context;
use crate::client::download::{ChunkOutcome, Download};
use crate::client::{CommandError, Event, MapInfo, MapRefusal};
use crate::model::message::{ClientMessage, MapChunking, ServerMessage};

/// The server has sent MAP_CHANGE. The client waits for a command, or downloads the map.
#[derive(Debug)]
pub(in crate::client) struct LoadingMap {
    map: MapInfo,
    chunking: Option<MapChunking>,
    step: MapStep,
}

#[derive(Debug)]
enum MapStep {
    /// Waits for a command of the application.
    Needed,
    Downloading(Box<Download>),
    /// The map was rejected. The application can only continue without it.
    Refused,
}

impl LoadingMap {
    pub(super) const fn new(map: MapInfo, chunking: Option<MapChunking>) -> Self {
        Self { map, chunking, step: MapStep::Needed }
    }

    pub(super) const fn name(&self) -> &'static str {
        match self.step {
            MapStep::Needed => "map needed",
            MapStep::Downloading(_) => "downloading",
            MapStep::Refused => "map refused",
        }
    }

    /// Returns whether the next step is a message of the server, and not a command of the application.
    pub(super) const fn awaits_server(&self) -> bool {
        matches!(self.step, MapStep::Downloading(_))
    }

    pub(super) fn held_bytes(&self) -> usize {
        match &self.step {
            MapStep::Downloading(download) => download.held_bytes(),
            MapStep::Needed | MapStep::Refused => 0,
        }
    }

    /// Starts the download, or emits [`Event::MapRefused`] if the server's description of the map is invalid.
    ///
    /// # Errors
    /// [`CommandError::NoMapNeeded`] if the download has already begun, or an error of the request. Nothing changes.
    pub(super) fn download(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let MapStep::Needed = self.step else { return Err(CommandError::NoMapNeeded) };
        match Download::new(&self.map, self.chunking, context.shared.config.max_map_bytes) {
            Ok(download) => {
                context.send_vital(&ClientMessage::RequestMapData { piece: Some(0) })?;
                self.step = MapStep::Downloading(Box::new(download));
            }
            Err(refusal) => self.refuse(refusal, context),
        }
        Ok(())
    }

    pub(super) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        let ServerMessage::MapData { info, data } = *message else { return Transition::Unexpected };
        let MapStep::Downloading(download) = &mut self.step else { return on_stray_chunk(context) };
        match download.add_chunk(info, data) {
            Ok(ChunkOutcome::Stray) => return on_stray_chunk(context),
            Err(refusal) => {
                self.refuse(refusal, context);
                return Transition::Stay;
            }
            Ok(ChunkOutcome::Request(piece)) => {
                context.send_login(&ClientMessage::RequestMapData { piece: Some(piece) });
            }
            Ok(ChunkOutcome::Waiting | ChunkOutcome::Complete) => {}
        }
        let (received, size) = (download.received(), download.size());
        context.emit(Event::MapProgress { received, size });
        if received < size {
            return Transition::Stay;
        }
        match core::mem::replace(&mut self.step, MapStep::Needed) {
            MapStep::Downloading(download) => Transition::MapLoaded(download.into_bytes()),
            MapStep::Needed | MapStep::Refused => Transition::Stay,
        }
    }

    fn refuse(&mut self, refusal: MapRefusal, context: &mut Context<'_>) {
        self.step = MapStep::Refused;
        context.emit(Event::MapRefused(refusal));
    }
}

fn on_stray_chunk(context: &mut Context<'_>) -> Transition {
    let stats = &mut context.shared.stats;
    stats.stray_map_chunks = stats.stray_map_chunks.saturating_add(1);
    Transition::Stay
}
