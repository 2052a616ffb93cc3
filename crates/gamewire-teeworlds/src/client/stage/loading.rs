use super::{Outcome, Readying, Stage};
use crate::client::context::Context;
use crate::client::download::{Download, Progress};
use crate::client::{CommandError, Event, MapRefusal, NeededMap};
use crate::session::message::{FromClient, FromServer, MapPieces};

/// The server has named its map; the application is asked what to do, or it is being downloaded.
#[derive(Debug)]
pub(in crate::client) struct Loading {
    map: NeededMap,
    pieces: Option<MapPieces>,
    step: Step,
}

#[derive(Debug)]
enum Step {
    /// The application has been asked.
    Asked,
    /// Pieces are on their way.
    Downloading(Box<Download>),
    /// The server's map is not taken: the application may only go on without it.
    Refused,
}

impl Loading {
    pub(super) const fn new(map: NeededMap, pieces: Option<MapPieces>) -> Self {
        Self { map, pieces, step: Step::Asked }
    }

    pub(super) const fn name(&self) -> &'static str {
        match self.step {
            Step::Asked => "map needed",
            Step::Downloading(_) => "downloading",
            Step::Refused => "map refused",
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        match &self.step {
            Step::Downloading(download) => download.held_bytes(),
            Step::Asked | Step::Refused => 0,
        }
    }

    /// Begins the download. What the server says of the map may be refused at once, which is told
    /// as an event.
    ///
    /// # Errors
    /// When it has begun before.
    pub(in crate::client) fn download(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let Step::Asked = self.step else { return Err(CommandError::NoMapNeeded) };
        match Download::new(&self.map, self.pieces, context.desk.config.max_map_bytes) {
            Ok(download) => {
                context.say(&FromClient::RequestMapData { piece: Some(0) })?;
                self.step = Step::Downloading(Box::new(download));
            }
            Err(refusal) => self.refuse(refusal, context),
        }
        Ok(())
    }

    pub(super) fn hear(&mut self, word: &FromServer<'_>, context: &mut Context<'_>) -> Outcome {
        let FromServer::MapData { place, data } = *word else { return Outcome::OutOfPlace };
        let Step::Downloading(download) = &mut self.step else { return stray(context) };
        match download.take(place, data) {
            Ok(Progress::Stray) => return stray(context),
            Err(refusal) => {
                self.refuse(refusal, context);
                return Outcome::Stay;
            }
            Ok(Progress::Ask(piece)) => {
                context.go_on_with(&FromClient::RequestMapData { piece: Some(piece) })
            }
            Ok(Progress::Waiting | Progress::Whole) => {}
        }
        let (received, size) = (download.received(), download.size());
        context.tell(Event::MapProgress { received, size });
        if received < size {
            return Outcome::Stay;
        }
        match core::mem::replace(&mut self.step, Step::Asked) {
            Step::Downloading(download) => {
                Outcome::Become(Stage::Readying(Readying::begin(Some(download.into_bytes()), context)))
            }
            Step::Asked | Step::Refused => Outcome::Stay,
        }
    }

    fn refuse(&mut self, refusal: MapRefusal, context: &mut Context<'_>) {
        self.step = Step::Refused;
        context.tell(Event::MapRefused(refusal));
    }
}

fn stray(context: &mut Context<'_>) -> Outcome {
    context.desk.counts.stray_pieces = context.desk.counts.stray_pieces.saturating_add(1);
    Outcome::Stay
}
