use super::Join;
use crate::end::{End, Failure};
use crate::url::Url;

impl Join {
    pub(crate) fn run(self) -> Result<End, Failure> {
        match &self.url {
            Url::Teeworlds(url) => self.play(url),
            Url::Riptide(url) => Err(Failure::Failed(format!("{url}: Riptide is only inspected yet"))),
        }
    }
}
