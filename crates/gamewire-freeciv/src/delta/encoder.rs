use std::sync::Arc;

use gamewire_schema::ir::Info;
use gamewire_wire::{CodecError, Found};

use super::error::{DeltaError, DeltaErrorKind};
use super::limits::DeltaLimits;
use super::memory::BaselineMap;
use super::plan::{FieldLayout, Key, MAX_KEYS, PacketLayout};
use super::progress::{FieldCursor, is_set};
use super::value::Value;
use super::variants::{Direction, Variants};
use super::write;

/// Writes the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct DeltaEncoder {
    variants: Arc<Variants>,
    direction: Direction,
    memory: BaselineMap,
    bits: Vec<u8>,
    previous: Option<u16>,
    failed: Option<Box<DeltaError>>,
}

/// How a packet is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions<'a> {
    /// Whether a packet that says nothing new is sent all the same.
    pub force: bool,
    /// The bitvector that a decoded packet came with. Senders compare floating-point numbers before
    /// they round them to the wire, so a bit of such a field can be set without a change that
    /// values show; these bits, and no others, are taken from here.
    pub bits: &'a [u8],
}

impl DeltaEncoder {
    /// At the start of a connection, which remembers nothing.
    #[must_use]
    pub fn new(variants: Arc<Variants>, direction: Direction, limits: DeltaLimits) -> Self {
        let (memory, bits) = (BaselineMap::new(limits), Vec::new());
        Self { variants, direction, memory, bits, previous: None, failed: None }
    }

    /// The capabilities are agreed on: from now on the fields are those of these variants. They
    /// must be of the same protocol.
    pub fn set_variants(&mut self, variants: Arc<Variants>) {
        self.variants = variants;
    }

    /// The variants in use.
    #[must_use]
    pub const fn variants(&self) -> &Arc<Variants> {
        &self.variants
    }

    /// Forgets all packets of the types that tell of the game: the connection has got another
    /// player, or has become an observer.
    pub fn forget_game_info(&mut self) {
        self.memory.forget_game_info(self.variants.protocol());
    }

    /// How many packets are remembered, and about how many bytes they take.
    #[must_use]
    pub const fn remembered(&self) -> (usize, usize) {
        (self.memory.baselines(), self.memory.bytes())
    }

    /// Writes the body of a packet to the end of `out`. False, and nothing is written, if it says
    /// nothing new and is of a type that is not sent then.
    ///
    /// # Errors
    /// When a value is not what its field can say, or there would be too many packets to remember:
    /// nothing is written or remembered then. Once they take too much memory it is always that
    /// error.
    pub fn encode(
        &mut self,
        number: u16,
        values: &[Value],
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let start = out.len();
        let mut progress = FieldCursor::default();
        match self.write(number, values, sending, out, &mut progress) {
            Ok(is_sent) => {
                self.previous = is_sent.then_some(number).or(self.previous);
                Ok(is_sent)
            }
            Err(mut fault) => {
                out.truncate(start);
                if let DeltaErrorKind::Codec(error) = &mut fault {
                    error.offset = error.offset.saturating_sub(start);
                }
                let error = self.error(number, &progress, fault);
                if matches!(fault, DeltaErrorKind::Memory { .. }) {
                    self.failed = Some(error.clone());
                }
                Err(error)
            }
        }
    }

    fn write(
        &mut self,
        number: u16,
        values: &[Value],
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
        progress: &mut FieldCursor,
    ) -> Result<bool, DeltaErrorKind> {
        self.bits.clear();
        let start = out.len();
        let variants = Arc::clone(&self.variants);
        let (packet, plan) = variants.plan(number, self.direction)?;
        if values.len() != packet.fields.len() {
            let found = Found::Value(i64::try_from(values.len()).unwrap_or(i64::MAX));
            return Err(CodecError::new(out.len(), "a value for each field", found).into());
        }
        let first = plan.first(values);
        if !plan.is_delta {
            for step in &plan.steps {
                progress.begin(step, out.len().saturating_sub(start));
                write::field(step, values, &Value::Absent, out, progress)?;
            }
            self.memory.cancel(&variants, plan.packet, first);
            return Ok(true);
        }
        let key = key(plan, values);
        let known = self.memory.get(plan.packet, &key).map(|baseline| baseline.values.as_slice());
        let old = known.unwrap_or(&plan.zero);
        let is_news = compare(plan, old, values, sending.bits, &mut self.bits);
        if known.is_some() && packet.info != Info::Always && !is_news && !sending.force {
            return Ok(false);
        }
        out.extend_from_slice(&self.bits);
        for step in &plan.keys {
            progress.begin(step, out.len().saturating_sub(start));
            write::field(step, values, &Value::Absent, out, progress)?;
        }
        for step in &plan.steps {
            if step.is_folded && !matches!(values.get(step.field), Some(Value::Bool(_))) {
                progress.begin(step, out.len().saturating_sub(start));
                return Err(CodecError::new(out.len(), "a value of the field's type", Found::End).into());
            }
            if step.is_folded {
                continue;
            }
            let at = out.len().saturating_sub(start);
            if step.bit.is_some_and(|bit| is_set(&self.bits, bit)) {
                progress.begin(step, at);
                let old = old.get(step.field).unwrap_or(&Value::Absent);
                write::field(step, values, old, out, progress)?;
            } else {
                write::skipped(step, values, out).inspect_err(|_| progress.begin(step, at))?;
            }
        }
        if is_news || known.is_none() {
            self.remember(&variants, plan, key, values)?;
        }
        self.memory.cancel(&variants, plan.packet, first);
        Ok(true)
    }

    fn remember(
        &mut self,
        variants: &Variants,
        plan: &PacketLayout,
        key: Key,
        values: &[Value],
    ) -> Result<(), DeltaErrorKind> {
        let (baseline, is_known) = self.memory.entry(variants, plan, key)?;
        let keys = plan.keys.iter().filter(|_| !is_known);
        let is_sent =
            |step: &&FieldLayout| step.is_folded || step.bit.is_some_and(|bit| is_set(&self.bits, bit));
        let mut is_elastic = false;
        for step in keys.chain(plan.steps.iter().filter(is_sent)) {
            if let (Some(to), Some(from)) = (baseline.values.get_mut(step.field), values.get(step.field)) {
                to.clone_from(from);
                is_elastic |= step.is_elastic;
            }
        }
        let weighed = is_elastic.then(|| baseline.weigh());
        weighed.map_or(Ok(()), |weighed| self.memory.count(weighed))
    }

    #[cold]
    fn error(&self, number: u16, progress: &FieldCursor, fault: DeltaErrorKind) -> Box<DeltaError> {
        let name = |number| self.variants.packet(number).map(|packet| packet.name.as_str());
        let previous = self.previous.and_then(name);
        match self.variants.plan(number, self.direction) {
            Ok(found) => progress.error(found, &self.bits, fault, previous),
            Err(_) => Box::new(DeltaError::of_packet(number, name(number), fault, previous)),
        }
    }
}

fn key(plan: &PacketLayout, values: &[Value]) -> Key {
    let mut key = [0; MAX_KEYS];
    for (step, part) in plan.keys.iter().zip(&mut key) {
        *part = values.get(step.field).and_then(Value::as_int).unwrap_or(0);
    }
    key
}

/// The bitvector of a packet after an old one; whether they differ.
fn compare(plan: &PacketLayout, old: &[Value], new: &[Value], floats: &[u8], bits: &mut Vec<u8>) -> bool {
    bits.resize(plan.bitvector, 0);
    let mut is_news = false;
    for step in &plan.steps {
        let (Some(bit), Some(old), Some(new)) = (step.bit, old.get(step.field), new.get(step.field)) else {
            continue;
        };
        let differs = old != new || is_kept(step, bit, floats);
        is_news |= differs;
        let is_set = if step.is_folded { *new == Value::Bool(true) } else { differs };
        if let (true, Some(byte)) = (is_set, bits.get_mut(bit / 8)) {
            *byte |= 1 << (bit % 8);
        }
    }
    is_news
}

/// Whether a bit is set for what only the sender's memory showed.
fn is_kept(step: &FieldLayout, bit: usize, floats: &[u8]) -> bool {
    step.is_float && is_set(floats, bit)
}
