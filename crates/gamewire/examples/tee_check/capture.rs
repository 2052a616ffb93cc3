//! Reads the inputs and the cores of all tees from a capture.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::error::Error;
use std::rc::Rc;

use gamewire::inspect::capture::Reader;
use gamewire::inspect::conversation::{FrameOutcome, Inspector, PacketInfo};
use gamewire::inspect::protocol::Protocol;
use gamewire::machine::record::{NodeKind, NodeRef};
use gamewire::machine::{Record, Role};
use gamewire::wire::{Layer, Value};
use gamewire_tee::core::CoreItem;
use gamewire_tee::input::TeeInput;

/// Maximum snapshots of a session that can be the base of the next one.
const MAX_BASES: usize = 200;
/// Number of inputs of a player that a server stores. It searches them for a tick in the order of their places.
const STORED_INPUTS: usize = 200;

/// The fields of an object of a snapshot.
pub(crate) type Fields = HashMap<String, i32>;
/// Objects that the check needs, by their name and id.
type Objects = HashMap<(&'static str, i32), Rc<Fields>>;
/// Names of these objects.
const NAMES: [&str; 4] = ["character", "ddnet_character", "player_info", "switch_state"];

/// An input as the server received it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SentInput {
    pub input: TeeInput,
    /// Tick for which it was sent.
    pub tick: i32,
    /// Milliseconds from its arrival to the tick, as the server reported them.
    pub time_left: Option<i32>,
    /// Ticks of the snapshots before and after that report.
    pub snapshots: Option<(i32, i32)>,
    /// Place among the inputs that the server stores.
    pub place: usize,
}

/// The end of a tee's life, as the server announced it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Death {
    pub player: usize,
    /// Ticks of the snapshots before and after it.
    pub snapshots: (i32, i32),
}

/// A tee of a snapshot.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenTee {
    /// Tick of the core; 0 if the core has the tick of the snapshot.
    pub core_tick: i32,
    pub core: CoreItem,
    pub weapon: i32,
    pub attack_tick: i32,
    /// Health, armor and ammo. Only the snapshots of the own session have them.
    pub own: Option<[i32; 3]>,
    /// DDNet's additions.
    pub ddnet: Option<Rc<Fields>>,
}

/// The tees and switches in the snapshots of all sessions at a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct TickView {
    pub tees: BTreeMap<usize, SeenTee>,
    /// Bits of the switches of team 0 that are on, if the tick has them.
    pub switches: Vec<i32>,
    /// Players with a snapshot of the tick in their session.
    pub sessions: Vec<usize>,
}

/// Everything of a capture that the check needs.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub is_07: bool,
    pub ticks: BTreeMap<i32, TickView>,
    /// The inputs of each player in the order in which they were sent.
    pub inputs: BTreeMap<usize, Vec<SentInput>>,
    /// Deaths of tees.
    pub deaths: Vec<Death>,
    /// Values of the latest tunings that each message sets, with the tick before.
    pub tunings: Vec<(i32, Vec<i32>)>,
}

/// The tees and switches in a snapshot of one session.
struct SessionView {
    tick: i32,
    tees: Vec<(usize, SeenTee)>,
    switches: Vec<i32>,
}

/// A session of one client.
#[derive(Default)]
struct Session {
    bases: VecDeque<(i32, Objects)>,
    player: Option<usize>,
    inputs: Vec<SentInput>,
    pre_inputs: Vec<(usize, SentInput)>,
    views: Vec<SessionView>,
    tick: i32,
    /// Tick of the latest snapshot message.
    snapshot_tick: Option<i32>,
    /// Indices of the inputs that the server reported since then.
    reports: Vec<usize>,
    /// Players that died since then.
    victims: Vec<usize>,
    deaths: Vec<Death>,
    tunings: Vec<(i32, Vec<i32>)>,
}

/// Reads a capture.
pub(crate) fn read(capture: &[u8]) -> Result<Recording, Box<dyn Error>> {
    let mut reader = Reader::new(capture)?;
    let (mut inspector, mut record) = (Inspector::<Protocol>::default(), Record::new());
    let mut sessions: BTreeMap<u64, Session> = BTreeMap::new();
    let mut recording = Recording::default();
    while let Some(frame) = reader.next() {
        let Ok(frame) = frame else { continue };
        record.clear();
        if let FrameOutcome::Datagram(info) = inspector.frame(&frame, &mut record) {
            recording.is_07 |= info.dialect.is_some_and(|dialect| dialect.contains("0.7"));
            sessions.entry(info.conversation).or_default().packet(&info, &record);
        }
    }
    let own: Vec<usize> = sessions.values().filter_map(|session| session.player).collect();
    for mut session in sessions.into_values() {
        // The server shows only some inputs of a client to others.
        session.pre_inputs.retain(|(player, _)| !own.contains(player));
        recording.add(session);
    }
    recording.join_deaths();
    Ok(recording)
}

impl Recording {
    /// Returns whether a tee died after one tick and not after another one.
    pub(crate) fn has_died(&self, player: usize, from: i32, to: i32) -> bool {
        let is_between = |(before, after): (i32, i32)| before < to && after > from;
        self.deaths.iter().any(|death| death.player == player && is_between(death.snapshots))
    }

    /// Joins the reports of a death in all sessions.
    pub(crate) fn join_deaths(&mut self) {
        let mut reports = std::mem::take(&mut self.deaths);
        reports.sort_unstable_by_key(|death| (death.player, death.snapshots));
        for report in reports {
            match self.deaths.last_mut() {
                Some(last) if last.player == report.player && report.snapshots.0 < last.snapshots.1 => {
                    last.snapshots = (report.snapshots.0, last.snapshots.1.min(report.snapshots.1));
                }
                _ => self.deaths.push(report),
            }
        }
    }

    fn add(&mut self, session: Session) {
        if let Some(player) = session.player {
            self.inputs.entry(player).or_default().extend(session.inputs);
        }
        for (player, input) in session.pre_inputs {
            let known = self.inputs.entry(player).or_default();
            if known.iter().all(|other| other.tick != input.tick) {
                known.push(input);
            }
        }
        self.deaths.extend(session.deaths);
        self.tunings.extend(session.tunings);
        for SessionView { tick, tees, switches } in session.views {
            let view = self.ticks.entry(tick).or_default();
            if !switches.is_empty() {
                view.switches = switches;
            }
            view.sessions.extend(session.player);
            for (id, tee) in tees {
                let is_own = Some(id) == session.player;
                let own = if is_own { tee.own } else { None };
                let known = view.tees.entry(id).or_insert_with(|| SeenTee { own: None, ..tee.clone() });
                if own.is_some() {
                    known.own = own;
                }
                if known.ddnet.is_none() {
                    known.ddnet.clone_from(&tee.ddnet);
                }
            }
        }
    }
}

impl Session {
    fn packet(&mut self, info: &PacketInfo, record: &Record) {
        for node in record.nodes().filter(|node| node.kind() == NodeKind::Group(Layer::Message)) {
            let fields = fields_of(node);
            let field = |name: &str| fields.get(name).copied().unwrap_or(0);
            match (info.sender, node.name()) {
                (Role::Client, "input") => {
                    self.inputs.push(SentInput {
                        input: input(&fields),
                        tick: field("intended_tick"),
                        time_left: None,
                        snapshots: None,
                        place: self.inputs.len() % STORED_INPUTS,
                    });
                }
                (Role::Server, "input_timing") => {
                    let tick = field("input_pred_tick");
                    let mut latest = self.inputs.iter_mut().enumerate().rev().take(200);
                    let is_reported = |sent: &SentInput| sent.tick == tick && sent.time_left.is_none();
                    if let Some((index, sent)) = latest.find(|(_, sent)| is_reported(sent)) {
                        sent.time_left = Some(field("time_left"));
                        self.reports.push(index);
                    }
                }
                (Role::Server, "pre_input") => {
                    let sent = SentInput {
                        input: input(&fields),
                        tick: field("intended_tick"),
                        time_left: Some(i32::MAX),
                        snapshots: None,
                        place: 0,
                    };
                    self.pre_inputs.push((usize::try_from(field("owner")).unwrap_or(0), sent));
                }
                (Role::Server, "kill_msg") => self.victims.extend(usize::try_from(field("victim")).ok()),
                (Role::Server, "client_info") if field("local") == 1 => {
                    self.player = usize::try_from(field("client_id")).ok();
                }
                (Role::Server, "tune_params") => {
                    let values =
                        node.children().filter(|field| !matches!(field.name(), "system" | "message_id"));
                    self.tunings.push((self.tick, values.flat_map(numbers).collect()));
                }
                (Role::Server, "snap" | "snap_single" | "snap_empty") => {
                    self.close_gap(field("tick"));
                    self.snapshot(node, &fields, record);
                }
                _ => {}
            }
        }
    }

    /// Notes between which snapshots the server reported inputs and deaths.
    fn close_gap(&mut self, tick: i32) {
        let before = self.snapshot_tick.replace(tick);
        let snapshots = (before.unwrap_or_else(|| tick.saturating_sub(1)), tick);
        self.deaths.extend(self.victims.drain(..).map(|player| Death { player, snapshots }));
        for index in self.reports.drain(..) {
            if let Some(sent) = self.inputs.get_mut(index) {
                sent.snapshots = before.map(|before| (before, tick));
            }
        }
    }

    fn snapshot(&mut self, message: NodeRef<'_>, fields: &Fields, record: &Record) {
        let found = record.nodes().filter(|node| node.name() == "snapshot").last();
        if message.name() != "snap_empty" && found.is_none() {
            return;
        }
        let tick = fields.get("tick").copied().unwrap_or(0);
        let base = tick.wrapping_sub(fields.get("delta").copied().unwrap_or(0));
        self.bases.retain(|(known, _)| *known >= base);
        let mut objects = match self.bases.iter().find(|(known, _)| *known == base) {
            Some((_, objects)) => objects.clone(),
            None if base < 0 => Objects::new(),
            None => return,
        };
        if let Some(snapshot) = found.filter(|_| message.name() != "snap_empty") {
            change(&mut objects, snapshot);
        }
        self.tick = tick;
        self.show(tick, &objects);
        if self.bases.len() >= MAX_BASES {
            self.bases.pop_front();
        }
        self.bases.push_back((tick, objects));
    }

    /// Notes the tees of a snapshot.
    fn show(&mut self, tick: i32, objects: &Objects) {
        let local = objects
            .iter()
            .find(|((name, _), fields)| *name == "player_info" && fields.get("local") == Some(&1));
        if let Some((_, fields)) = local {
            self.player = fields.get("client_id").and_then(|id| usize::try_from(*id).ok());
        }
        let mut tees = Vec::new();
        for ((name, id), fields) in objects {
            let Some(id) = usize::try_from(*id).ok().filter(|_| *name == "character") else { continue };
            let ddnet = i32::try_from(id).ok().and_then(|id| objects.get(&("ddnet_character", id)));
            tees.push((id, seen(fields, ddnet)));
        }
        let switches = objects.get(&("switch_state", 0));
        let switches = switches.map_or_else(Vec::new, |fields| {
            (0..8).filter_map(|index| fields.get(&format!("status {index}")).copied()).collect()
        });
        self.views.push(SessionView { tick, tees, switches });
    }
}

/// Applies the changes of a snapshot.
fn change(objects: &mut Objects, snapshot: NodeRef<'_>) {
    for node in snapshot.children() {
        match node.kind() {
            NodeKind::Group(Layer::List) if node.name() == "deleted" => {
                for key in node.children().flat_map(numbers) {
                    objects.retain(|_, fields| {
                        fields.get("item_type") != Some(&(key >> 16))
                            || fields.get("item_id") != Some(&(key & 0xffff))
                    });
                }
            }
            NodeKind::Group(Layer::Item) => {
                let Some(name) = NAMES.into_iter().find(|name| *name == node.name()) else { continue };
                let fields = fields_of(node);
                let id = fields.get("item_id").copied().unwrap_or(0);
                objects.insert((name, id), Rc::new(fields));
            }
            _ => {}
        }
    }
}

fn seen(fields: &Fields, ddnet: Option<&Rc<Fields>>) -> SeenTee {
    let field = |name: &str| fields.get(name).copied().unwrap_or(0);
    SeenTee {
        core_tick: field("tick"),
        core: CoreItem::from_wire(CoreItem::NAMES.map(field)),
        weapon: field("weapon"),
        attack_tick: field("attack_tick"),
        own: Some([field("health"), field("armor"), field("ammo_count")]),
        ddnet: ddnet.cloned(),
    }
}

fn input(fields: &Fields) -> TeeInput {
    let field = |name: &str| fields.get(name).copied().unwrap_or(0);
    let names = [
        "direction",
        "target_x",
        "target_y",
        "jump",
        "fire",
        "hook",
        "player_flags",
        "wanted_weapon",
        "next_weapon",
        "prev_weapon",
    ];
    TeeInput::from_wire(names.map(field))
}

fn fields_of(node: NodeRef<'_>) -> Fields {
    let fields = node.children().filter(|field| field.kind() == NodeKind::Field);
    let mut fields: Fields =
        fields.filter_map(|field| Some((field.name().to_owned(), integer(field.value()?)?))).collect();
    for list in node.children().filter(|child| child.name() == "status") {
        for (index, value) in numbers(list).into_iter().enumerate() {
            fields.insert(format!("status {index}"), value);
        }
    }
    fields
}

/// Returns the integers of a field or of a list.
fn numbers(node: NodeRef<'_>) -> Vec<i32> {
    match node.value().and_then(integer) {
        Some(number) => vec![number],
        None => node.children().flat_map(numbers).collect(),
    }
}

fn integer(value: Value<'_>) -> Option<i32> {
    let wide = value.number()?;
    // Flags are shown without a sign.
    i32::try_from(wide).ok().or_else(|| u32::try_from(wide).ok().map(u32::cast_signed))
}
