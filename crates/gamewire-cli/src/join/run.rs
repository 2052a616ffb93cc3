use super::Join;
use crate::end::{End, Failure};
use crate::url::{Carrier, Url};

impl Join {
    pub(crate) fn run(self) -> Result<End, Failure> {
        match &self.url {
            Url::Teeworlds(url) => {
                fits(self.riptide.first_given(), "Riptide", &self.url)?;
                self.play(url)
            }
            Url::Riptide(url) => {
                fits(self.teeworlds.first_given(), "Teeworlds", &self.url)?;
                if url.carrier == Carrier::Tcp {
                    let record = self.record.is_some().then_some("--record");
                    fits(
                        record.or_else(|| self.bad_link.is_some().then_some("--bad-link")),
                        "datagrams",
                        &self.url,
                    )?;
                }
                self.visit(url)
            }
        }
    }
}

/// Fails if an option was given that is for something else.
fn fits(option: Option<&str>, what: &str, url: &Url) -> Result<(), Failure> {
    let Some(option) = option else { return Ok(()) };
    Err(Failure::Usage(format!("{option} is for {what}: leave it out with {url}")))
}
