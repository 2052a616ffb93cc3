use super::{AwaitConReady, LoginState, Transition};
use crate::client::context::Context;
use crate::client::download::{ChunkOutcome, Download};
use crate::client::{CommandError, Event, MapInfo, MapRefusal};
use crate::session::message::{ClientMessage, MapChunking, ServerMessage};

/// The server has named its map; the application is asked what to do, or it is being downloaded.
#[derive(Debug)]
pub(in crate::client) struct LoadingMap {
    map: MapInfo,
    pieces: Option<MapChunking>,
    step: MapStep,
}

#[derive(Debug)]
enum MapStep {
    /// The application has been asked.
    Asked,
    /// Pieces are on their way.
    Downloading(Box<Download>),
    /// The server's map is not taken: the application may only go on without it.
    Refused,
}

impl LoadingMap {
    pub(super) const fn new(map: MapInfo, pieces: Option<MapChunking>) -> Self {
        Self { map, pieces, step: MapStep::Asked }
    }

    pub(super) const fn name(&self) -> &'static str {
        match self.step {
            MapStep::Asked => "map needed",
            MapStep::Downloading(_) => "downloading",
            MapStep::Refused => "map refused",
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        match &self.step {
            MapStep::Downloading(download) => download.held_bytes(),
            MapStep::Asked | MapStep::Refused => 0,
        }
    }

    /// Begins the download. What the server says of the map may be refused at once, which is told
    /// as an event.
    ///
    /// # Errors
    /// When it has begun before.
    pub(in crate::client) fn download(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let MapStep::Asked = self.step else { return Err(CommandError::NoMapNeeded) };
        match Download::new(&self.map, self.pieces, context.desk.config.max_map_bytes) {
            Ok(download) => {
                context.send_vital(&ClientMessage::RequestMapData { piece: Some(0) })?;
                self.step = MapStep::Downloading(Box::new(download));
            }
            Err(refusal) => self.refuse(refusal, context),
        }
        Ok(())
    }

    pub(super) fn hear(&mut self, word: &ServerMessage<'_>, context: &mut Context<'_>) -> Transition {
        let ServerMessage::MapData { place, data } = *word else { return Transition::Unexpected };
        let MapStep::Downloading(download) = &mut self.step else { return stray(context) };
        match download.take(place, data) {
            Ok(ChunkOutcome::Stray) => return stray(context),
            Err(refusal) => {
                self.refuse(refusal, context);
                return Transition::Stay;
            }
            Ok(ChunkOutcome::Ask(piece)) => {
                context.send_login(&ClientMessage::RequestMapData { piece: Some(piece) })
            }
            Ok(ChunkOutcome::Waiting | ChunkOutcome::Whole) => {}
        }
        let (received, size) = (download.received(), download.size());
        context.emit(Event::MapProgress { received, size });
        if received < size {
            return Transition::Stay;
        }
        match core::mem::replace(&mut self.step, MapStep::Asked) {
            MapStep::Downloading(download) => Transition::To(LoginState::Readying(AwaitConReady::begin(
                Some(download.into_bytes()),
                context,
            ))),
            MapStep::Asked | MapStep::Refused => Transition::Stay,
        }
    }

    fn refuse(&mut self, refusal: MapRefusal, context: &mut Context<'_>) {
        self.step = MapStep::Refused;
        context.emit(Event::MapRefused(refusal));
    }
}

fn stray(context: &mut Context<'_>) -> Transition {
    context.desk.counts.stray_map_chunks = context.desk.counts.stray_map_chunks.saturating_add(1);
    Transition::Stay
}
