//! Accounts, bans, rooms and players, apart from the network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use gamewire::riptide::{ClientId, ConnectionId, Message, Vector2};

use crate::TICK;

/// Distance that a player moves per second.
const SPEED: f32 = 5.0;
/// The positions and the names of a full room fit a message.
const MAX_PLAYERS_OF_ROOM: usize = 32;
const MAX_NAME: usize = 20;
/// Lines of chat that a player may have sent in advance of one a second.
const MAX_LINES_AT_ONCE: f32 = 5.0;

#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) is_admin: bool,
}

pub(crate) struct Lobby {
    /// The accounts by their tokens.
    pub(crate) accounts: BTreeMap<String, Account>,
    pub(crate) banned: BTreeSet<String>,
    pub(crate) bans: PathBuf,
    /// Accounts that are accepted and not connected yet, and their rooms.
    pub(crate) arriving: BTreeMap<ConnectionId, (Account, String)>,
    pub(crate) players: BTreeMap<ClientId, Player>,
    pub(crate) tick: u32,
    pub(crate) changes: u32,
}

pub(crate) struct Player {
    pub(crate) account: Account,
    pub(crate) room: String,
    pub(crate) at: Vector2,
    pub(crate) direction: Vector2,
    pub(crate) steered: u32,
    pub(crate) lines_left: f32,
}

impl Player {
    pub(crate) fn new(account: Account) -> Self {
        let (at, direction) = (Vector2::default(), Vector2::default());
        Self { account, room: String::new(), at, direction, steered: 0, lines_left: MAX_LINES_AT_ONCE }
    }
}

impl Lobby {
    pub(crate) fn load(tokens: &Path, bans: &Path) -> Result<Self, String> {
        let read =
            |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
        let mut accounts = BTreeMap::new();
        for line in read(tokens)?.lines() {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                [] => continue,
                [token, name, rank @ ..] if name.len() <= MAX_NAME && matches!(rank, [] | ["admin"]) => {
                    let account = Account { name: (*name).to_owned(), is_admin: !rank.is_empty() };
                    accounts.insert((*token).to_owned(), account)
                }
                _ => {
                    return Err(format!("{}: expected TOKEN NAME [admin], found {line:?}", tokens.display()));
                }
            };
        }
        let banned =
            if bans.exists() { read(bans)?.lines().map(str::to_owned).collect() } else { BTreeSet::new() };
        let (arriving, players) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { accounts, banned, bans: bans.to_owned(), arriving, players, tick: 0, changes: 0 })
    }

    /// Returns the account and room of a request to connect, or why it is refused.
    pub(crate) fn admit(&self, data: &mut Message) -> Result<(Account, String), &'static str> {
        let (Ok(token), Ok(room)) = (data.get_string(), data.get_string()) else {
            return Err("this server wants a token and a room");
        };
        let account = self.accounts.get(&token).ok_or("the token is not valid")?;
        if self.banned.contains(&account.name) {
            return Err("you are banned");
        }
        self.check_room(&room)?;
        Ok((account.clone(), room))
    }

    pub(crate) fn check_room(&self, room: &str) -> Result<(), &'static str> {
        if room.is_empty() || room.len() > MAX_NAME || !room.chars().all(char::is_alphanumeric) {
            return Err("the name of a room has 1 to 20 letters or digits");
        }
        let arriving = self.arriving.values().filter(|(_, wanted)| wanted == room).count();
        if self.in_room(room).count() + arriving >= MAX_PLAYERS_OF_ROOM {
            Err("the room is full")
        } else {
            Ok(())
        }
    }

    pub(crate) fn in_room(&self, room: &str) -> impl Iterator<Item = (ClientId, &Player)> {
        self.players.iter().filter(move |(_, player)| player.room == room).map(|(id, player)| (*id, player))
    }

    pub(crate) fn named(&self, name: &str) -> Option<ClientId> {
        self.players.iter().find(|(_, player)| player.account.name == name).map(|(id, _)| *id)
    }

    pub(crate) fn ban(&mut self, name: &str) -> Result<(), &'static str> {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(&self.bans);
        let written = file.as_mut().map(|file| writeln!(file, "{name}"));
        self.banned.insert(name.to_owned());
        if matches!(written, Ok(Ok(()))) {
            Ok(())
        } else {
            Err("banned until the server stops: it cannot write its file")
        }
    }

    pub(crate) fn step(&mut self) {
        self.tick += 1;
        for player in self.players.values_mut() {
            player.at.x += player.direction.x * SPEED * TICK.as_secs_f32();
            player.at.y += player.direction.y * SPEED * TICK.as_secs_f32();
            player.lines_left = (player.lines_left + TICK.as_secs_f32()).min(MAX_LINES_AT_ONCE);
        }
    }
}
