use super::Join;
use crate::exit_status::{ExitStatus, Failure};
use crate::url::{Url, UrlTransport};

impl Join {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let players = (self.players.first_given(), "Teeworlds and Freeciv");
        let teeworlds = (self.teeworlds.first_given(), "Teeworlds");
        let riptide = (self.riptide.first_given(), "Riptide");
        let freeciv = (self.freeciv.first_given(), "Freeciv");
        let impair = (self.impair.is_some().then_some("--impair"), "datagrams");
        match &self.url {
            Url::Teeworlds(url) => {
                self.fits(&[riptide, freeciv])?;
                self.run_teeworlds(url)
            }
            Url::Riptide(url) => {
                self.fits(&[players, teeworlds, freeciv])?;
                if url.transport == UrlTransport::Tcp {
                    self.fits(&[impair])?;
                }
                self.run_riptide(url)
            }
            Url::Freeciv(url) => {
                self.fits(&[teeworlds, riptide, impair])?;
                self.run_freeciv(url)
            }
        }
    }

    /// Returns an error if an option of another protocol was given.
    fn fits(&self, foreign: &[(Option<&str>, &str)]) -> Result<(), Failure> {
        let given = foreign.iter().find_map(|(option, what)| option.map(|option| (option, *what)));
        let Some((option, what)) = given else { return Ok(()) };
        Err(Failure::Usage(format!("{option} is for {what} only; remove it for {}", self.url)))
    }
}
