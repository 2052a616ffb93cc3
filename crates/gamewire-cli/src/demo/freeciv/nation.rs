use gamewire_freeciv::codec::Text;
use gamewire_freeciv::packets::{PlayerInfo, ResearchInfo};

use super::rules::{ADVANCES, DESPOTISM, GOVERNMENTS, NO_ADVANCE, advance_cost, text};

/// Gold at the start.
const START_GOLD: u32 = 50;

/// Shares of the trade in percent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    pub(super) tax: u8,
    pub(super) luxury: u8,
    pub(super) science: u8,
}

/// A nation of the demo's game: its treasury, research and government.
#[derive(Debug)]
pub(super) struct Nation {
    pub(super) number: u16,
    pub(super) name: String,
    pub(super) gold: u32,
    pub(super) rates: Rates,
    government: i8,
    /// Numbers of the advances that the nation knows.
    known: Vec<u16>,
    researching: u16,
    goal: u16,
    bulbs: u32,
}

impl Nation {
    pub(super) fn new(number: u16, name: String) -> Self {
        Self {
            number,
            name,
            gold: START_GOLD,
            rates: Rates { tax: 40, luxury: 0, science: 60 },
            government: DESPOTISM,
            known: vec![NO_ADVANCE],
            researching: NO_ADVANCE,
            goal: NO_ADVANCE,
            bulbs: 0,
        }
    }

    pub(super) fn knows(&self, advance: u16) -> bool {
        self.known.contains(&advance)
    }

    pub(super) const fn bulbs(&self) -> u32 {
        self.bulbs
    }

    /// Selects the advance to research, if the nation knows the requirements of the advance.
    pub(super) fn research(&mut self, advance: u16) {
        if self.can_research(advance) {
            self.researching = advance;
        }
    }

    pub(super) fn set_goal(&mut self, advance: u16) {
        self.goal = advance;
        if self.researching == NO_ADVANCE {
            self.researching = self.next_step();
        }
    }

    /// Changes the rates. They are ignored unless their sum is 100.
    pub(super) fn set_rates(&mut self, rates: Rates) {
        let Rates { tax, luxury, science } = rates;
        if u16::from(tax).saturating_add(luxury.into()).saturating_add(science.into()) == 100 {
            self.rates = rates;
        }
    }

    /// Changes the government, if the nation knows the advance that the government requires.
    pub(super) fn set_government(&mut self, government: i8) {
        let needed = usize::try_from(government).ok().and_then(|number| GOVERNMENTS.get(number));
        if needed.is_some_and(|(_, advance)| self.knows(*advance)) {
            self.government = government;
        }
    }

    /// Adds the gold and bulbs of a turn. Completes the research if there are enough bulbs.
    pub(super) fn earn(&mut self, gold: u32, bulbs: u32) {
        self.gold = self.gold.saturating_add(gold);
        self.bulbs = self.bulbs.saturating_add(bulbs);
        let cost = advance_cost(self.known.len());
        if self.researching != NO_ADVANCE && self.bulbs >= cost {
            self.bulbs = self.bulbs.saturating_sub(cost);
            self.known.push(self.researching);
            self.researching = self.next_step();
            if self.knows(self.goal) {
                self.goal = NO_ADVANCE;
            }
        }
    }

    /// Returns an advance that the nation can research and that the goal requires.
    fn next_step(&self) -> u16 {
        let mut open = vec![self.goal];
        while let Some(advance) = open.pop() {
            if self.can_research(advance) {
                return advance;
            }
            let needed = ADVANCES.get(usize::from(advance)).map_or([NO_ADVANCE; 2], |(_, needed)| *needed);
            open.extend(needed.into_iter().filter(|needed| !self.knows(*needed)));
        }
        NO_ADVANCE
    }

    fn can_research(&self, advance: u16) -> bool {
        let rule = ADVANCES.get(usize::from(advance));
        !self.knows(advance)
            && rule.is_some_and(|(_, needed)| needed.iter().all(|needed| self.knows(*needed)))
    }

    pub(super) fn player(&self, turn: i16, citizens: u32) -> PlayerInfo {
        let advances = u32::try_from(self.known.len()).unwrap_or(u32::MAX).saturating_sub(1);
        PlayerInfo {
            playerno: self.number,
            name: text(&self.name),
            username: text(&self.name),
            score: i32::try_from(advances.saturating_mul(2).saturating_add(citizens)).unwrap_or(i32::MAX),
            nation: self.number.cast_signed(),
            team: self.number,
            is_alive: true,
            is_connected: true,
            turns_alive: turn,
            gold: self.gold,
            government: self.government,
            target_government: self.government,
            tax: self.rates.tax,
            luxury: self.rates.luxury,
            science: self.rates.science,
            ..PlayerInfo::default()
        }
    }

    pub(super) fn research_info(&self) -> ResearchInfo {
        let state = |advance: u16| match (self.knows(advance), self.can_research(advance)) {
            (true, _) => '2',
            (false, true) => '1',
            (false, false) => '0',
        };
        let inventions: String = (0..).take(ADVANCES.len()).map(state).collect();
        ResearchInfo {
            id: u8::try_from(self.number).unwrap_or(u8::MAX),
            techs_researched: u32::try_from(self.known.len()).unwrap_or(u32::MAX),
            researching: self.researching,
            researching_cost: advance_cost(self.known.len()),
            bulbs_researched: self.bulbs,
            tech_goal: self.goal,
            inventions: Text::try_from(inventions.as_str()).unwrap_or_default(),
            ..ResearchInfo::default()
        }
    }
}
