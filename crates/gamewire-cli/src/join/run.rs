use super::Join;
use crate::end::{End, Failure};
use crate::url::{Carrier, Url};

impl Join {
    pub(crate) fn run(self) -> Result<End, Failure> {
        let players = (self.players.first_given(), "Teeworlds and Freeciv");
        let teeworlds = (self.teeworlds.first_given(), "Teeworlds");
        let riptide = (self.riptide.first_given(), "Riptide");
        let freeciv = (self.freeciv.first_given(), "Freeciv");
        let bad_link = (self.bad_link.is_some().then_some("--bad-link"), "datagrams");
        match &self.url {
            Url::Teeworlds(url) => {
                self.fits(&[riptide, freeciv])?;
                self.play(url)
            }
            Url::Riptide(url) => {
                self.fits(&[players, teeworlds, freeciv])?;
                if url.carrier == Carrier::Tcp {
                    self.fits(&[bad_link])?;
                }
                self.visit(url)
            }
            Url::Freeciv(url) => {
                self.fits(&[teeworlds, riptide, bad_link])?;
                self.govern(url)
            }
        }
    }

    /// Fails if an option was given that is for something else.
    fn fits(&self, foreign: &[(Option<&str>, &str)]) -> Result<(), Failure> {
        let given = foreign.iter().find_map(|(option, what)| option.map(|option| (option, *what)));
        let Some((option, what)) = given else { return Ok(()) };
        Err(Failure::Usage(format!("{option} is for {what}: leave it out with {}", self.url)))
    }
}
