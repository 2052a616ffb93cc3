use std::sync::Arc;

use gamewire_wire::{CodecError, Found, Layer, Reader, Span, Trace};

use super::decoded::Decoded;
use super::error::{DeltaError, DeltaErrorKind};
use super::limits::DeltaLimits;
use super::memory::BaselineMap;
use super::plan::{Key, MAX_KEYS, PacketLayout};
use super::progress::{FieldCursor, is_set};
use super::read;
use super::tell;
use super::value::Value;
use super::variants::{Direction, Variants};

/// Reads the packets of one direction of one connection.
#[derive(Clone, Debug)]
pub struct DeltaDecoder {
    variants: Arc<Variants>,
    direction: Direction,
    memory: BaselineMap,
    /// The bitvector of the last packet.
    bits: Vec<u8>,
    /// The last packet, if it is not remembered.
    scratch: Vec<Value>,
    /// What was remembered before the last packet that a trace was told of.
    before: Vec<Value>,
    previous: Option<u16>,
    failed: Option<Box<DeltaError>>,
}

impl DeltaDecoder {
    /// At the start of a connection, which remembers nothing.
    #[must_use]
    pub fn new(variants: Arc<Variants>, direction: Direction, limits: DeltaLimits) -> Self {
        let memory = BaselineMap::new(limits);
        let (bits, scratch, before) = (Vec::new(), Vec::new(), Vec::new());
        Self { variants, direction, memory, bits, scratch, before, previous: None, failed: None }
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
    pub const fn memory_usage(&self) -> (usize, usize) {
        (self.memory.baselines(), self.memory.bytes())
    }

    /// Reads the body of a packet.
    ///
    /// # Errors
    /// When the body is not what the definition and the packets before say, or over the limits.
    /// Nothing after it can be trusted: from then on it is always the same error.
    pub fn decode(&mut self, number: u16, body: &[u8]) -> Result<Decoded<'_>, Box<DeltaError>> {
        self.decode_traced(number, body, 0, &mut ())
    }

    /// The same, and tells `trace` what it reads: the bits, then as a message the fields that were
    /// sent, up to the error if there is one, and as [`Layer::PacketBaselines`] those that were not. The
    /// body begins at byte `base` of what the trace knows.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_traced<T: Trace>(
        &mut self,
        number: u16,
        body: &[u8],
        base: usize,
        trace: &mut T,
    ) -> Result<Decoded<'_>, Box<DeltaError>> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let mut progress = FieldCursor::new(trace, base);
        self.before.clear();
        let (key, is_known) = match self.read(number, body, &mut progress) {
            Ok(read) => read,
            Err(fault) => {
                let error = self.error(number, &progress, fault);
                self.failed = Some(error.clone());
                return Err(error);
            }
        };
        self.previous = Some(number);
        let (packet, plan) = match self.variants.plan(number, self.direction) {
            Ok(found) => found,
            Err(fault) => return Err(self.error(number, &progress, fault)),
        };
        let remembered = key.and_then(|key| self.memory.get(plan.packet, &key));
        let values = remembered.map_or(self.scratch.as_slice(), |baseline| &baseline.values);
        Ok(Decoded { packet, plan, values, bits: &self.bits, is_known })
    }

    /// What was remembered of the packet that could not be decoded, before it came; empty if
    /// nothing was, and unless a trace was watching.
    #[must_use]
    pub fn remembered_before(&self) -> &[Value] {
        &self.before
    }

    /// Reads a packet into memory; its key there, if it is remembered, and whether one was.
    fn read<T: Trace>(
        &mut self,
        number: u16,
        body: &[u8],
        progress: &mut FieldCursor<T>,
    ) -> Result<(Option<Key>, bool), DeltaErrorKind> {
        self.bits.clear();
        let variants = Arc::clone(&self.variants);
        let plan = variants.plan(number, self.direction).map(|(_, plan)| plan);
        if !progress.trace.wants_details() {
            return self.read_planned(plan?, &variants, body, progress);
        }
        let result = match plan {
            Ok(plan) => {
                let base = progress.base;
                tell::bits(&mut progress.trace, plan, body.get(..plan.bitvector).unwrap_or_default(), base);
                let whole = Span::bytes(base, base.saturating_add(body.len()));
                progress.trace.enter(Layer::Message, &plan.label, whole);
                self.read_planned(plan, &variants, body, progress)
            }
            Err(fault) => Err(fault),
        };
        match (&result, plan) {
            (Ok((Some(key), true)), Ok(plan)) => {
                let known = self.memory.get(plan.packet, key);
                let values = known.map_or(self.scratch.as_slice(), |baseline| &baseline.values);
                tell::remembered(&mut progress.trace, plan, &self.bits, values, progress.base);
            }
            (Ok(_), _) => {}
            (Err(fault), _) => {
                let error = self.error(number, progress, *fault);
                tell::error(&mut progress.trace, &error, progress.base);
            }
        }
        if plan.is_ok() {
            progress.trace.exit();
        }
        result
    }

    fn read_planned<T: Trace>(
        &mut self,
        plan: &PacketLayout,
        variants: &Variants,
        body: &[u8],
        progress: &mut FieldCursor<T>,
    ) -> Result<(Option<Key>, bool), DeltaErrorKind> {
        let mut from = Reader::new(body);
        if !plan.is_delta {
            self.scratch.clone_from(&plan.zero);
            for step in &plan.steps {
                progress.begin(step, from.offset());
                read::field(step, &mut self.scratch, &mut from, progress)?;
            }
            ended(&from)?;
            self.memory.cancel(variants, plan.packet, plan.first(&self.scratch));
            return Ok((None, false));
        }
        self.bits.extend_from_slice(from.take(plan.bitvector, "the bits of the fields")?);
        no_bits_behind(plan, &self.bits)?;
        let mut key = [0; MAX_KEYS];
        for (step, part) in plan.keys.iter().zip(&mut key) {
            progress.begin(step, from.offset());
            let mut value = Value::Absent;
            let start = from.offset();
            step.element.read(&mut from, &mut value)?;
            progress.trace_value(&step.name, step.element, (start, from.offset()), &value);
            *part = value.as_int().unwrap_or(0);
        }
        let (baseline, is_known) = self.memory.entry(variants, plan, key)?;
        if progress.trace.wants_details() && is_known {
            self.before.clone_from(&baseline.values);
        }
        let values = baseline.values.as_mut_slice();
        for (step, part) in plan.keys.iter().zip(key) {
            if let Some(value) = values.get_mut(step.field) {
                *value = Value::Int(part);
            }
        }
        let mut is_elastic = false;
        for step in &plan.steps {
            let is_set = step.bit.is_some_and(|bit| is_set(&self.bits, bit));
            if step.is_folded {
                if let Some(value) = values.get_mut(step.field) {
                    *value = Value::Bool(is_set);
                }
                if progress.trace.wants_details()
                    && let Some(bit) = step.bit
                {
                    tell::folded(&mut progress.trace, &step.name, bit, is_set, progress.base);
                }
            } else if is_set {
                progress.begin(step, from.offset());
                read::field(step, values, &mut from, progress)?;
                is_elastic |= step.is_elastic;
            } else if !step.dims.is_empty() {
                read::fit(step, values, from.offset())?;
            }
        }
        ended(&from)?;
        let first = plan.first(values);
        if variants.cancelled(plan.packet).contains(&plan.packet) {
            self.scratch.clone_from(&baseline.values);
        }
        if is_elastic {
            let weighed = baseline.weigh();
            self.memory.count(weighed)?;
        }
        self.memory.cancel(variants, plan.packet, first);
        Ok((Some(key), is_known))
    }

    #[cold]
    fn error<T: Trace>(
        &self,
        number: u16,
        progress: &FieldCursor<T>,
        fault: DeltaErrorKind,
    ) -> Box<DeltaError> {
        let name = |number| self.variants.packet(number).map(|packet| packet.name.as_str());
        let previous = self.previous.and_then(name);
        match self.variants.plan(number, self.direction) {
            Ok(found) => progress.error(found, &self.bits, fault, previous),
            Err(_) => Box::new(DeltaError::of_packet(number, name(number), fault, previous)),
        }
    }
}

/// Nothing may be left of a body.
fn ended(from: &Reader<'_>) -> Result<(), CodecError> {
    match from.remaining().len() {
        0 => Ok(()),
        left => Err(CodecError::new(from.offset(), "the end of the packet", Found::Bytes(left))),
    }
}

/// The bits behind those of the fields are 0.
fn no_bits_behind(plan: &PacketLayout, bits: &[u8]) -> Result<(), CodecError> {
    let end = bits.len().saturating_mul(8);
    match (plan.bits..end).find(|bit| is_set(bits, *bit)) {
        None => Ok(()),
        Some(bit) => {
            let found = Found::Value(i64::try_from(bit).unwrap_or(i64::MAX));
            Err(CodecError::new(bit / 8, "no bit behind those of the fields", found))
        }
    }
}
