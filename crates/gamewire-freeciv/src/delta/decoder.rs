use std::sync::Arc;

use gamewire_schema::ir::Packet;
use gamewire_wire::{CodecError, Found, Layer, Reader, Result, Span, Trace};

use super::baseline_map::{BaselineMap, DeltaLimits, baseline_methods};
use super::error::{DeltaError, DeltaErrorKind};
use super::field;
use super::number::found;
use super::packet_layout::{Key, MAX_KEYS, PacketLayout, is_set};
use super::progress::{self, FieldCursor};
use super::value::Value;
use super::variants::{Direction, Variants};

/// A decoder for the packets of one direction of a connection.
#[derive(Clone, Debug)]
pub struct DeltaDecoder {
    variants: Arc<Variants>,
    direction: Direction,
    memory: BaselineMap,
    /// The bitvector of the last packet.
    bits: Vec<u8>,
    /// The last packet, if it has no baseline.
    scratch: Vec<Value>,
    /// The baseline before the last packet that was traced.
    before: Vec<Value>,
    previous: Option<u16>,
    failed: Option<Box<DeltaError>>,
}

impl DeltaDecoder {
    /// Creates a decoder for a new connection, without baselines.
    pub fn new(variants: Arc<Variants>, direction: Direction, limits: DeltaLimits) -> Self {
        let memory = BaselineMap::new(limits);
        let (bits, scratch, before) = (Vec::new(), Vec::new(), Vec::new());
        Self { variants, direction, memory, bits, scratch, before, previous: None, failed: None }
    }

    baseline_methods!();

    /// Decodes the body of a packet.
    ///
    /// # Errors
    /// [`DeltaError`] if the body does not match the definition and the baselines, or exceeds a limit. Every later call
    /// returns the same error, because the stream can no longer be decoded.
    pub fn decode(&mut self, number: u16, body: &[u8]) -> Result<Decoded<'_>, Box<DeltaError>> {
        self.decode_traced(number, body, 0, &mut ())
    }

    /// Decodes the body of a packet and reports it to `trace`: first the bits, then the fields that were sent, up to an
    /// error, as a message, then the other fields as [`Layer::Baseline`]. The body starts at byte `base` of the trace's
    /// source.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`decode`](Self::decode).
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
        let read = self.read(number, body, &mut progress);
        let (key, is_known) = read.inspect_err(|error| self.failed = Some(error.clone()))?;
        self.previous = Some(number);
        let (packet, plan) = self
            .variants
            .plan(number, self.direction)
            .map_err(|kind| DeltaError::of_packet(number, None, kind, None))?;
        let remembered = key.and_then(|key| self.memory.get(plan.packet, &key));
        let values = remembered.map_or(self.scratch.as_slice(), |baseline| &baseline.values);
        Ok(Decoded { packet, plan, values, bits: &self.bits, is_known })
    }

    /// Returns the baselines in no particular order: the definition of the packet, its key and its values.
    pub(crate) fn baselines(&self) -> impl Iterator<Item = (&Packet, Key, &[Value])> {
        let packets = self.variants.protocol().packets.iter().enumerate();
        packets.flat_map(|(place, packet)| {
            self.memory.of(place).map(move |(key, baseline)| (packet, *key, baseline.values.as_slice()))
        })
    }

    /// Returns the baseline of the packet that could not be decoded. It is empty if there was no baseline, or the trace
    /// did not want details.
    pub fn previous_baseline(&self) -> &[Value] {
        &self.before
    }

    /// Decodes a packet into its baseline. Returns its key, if it has a baseline, and whether the baseline existed
    /// before.
    fn read<T: Trace>(
        &mut self,
        number: u16,
        body: &[u8],
        progress: &mut FieldCursor<T>,
    ) -> Result<(Option<Key>, bool), Box<DeltaError>> {
        self.bits.clear();
        let variants = Arc::clone(&self.variants);
        let plan = variants.plan(number, self.direction).map(|(_, plan)| plan);
        let is_traced = progress.trace.wants_details();
        if let (true, Ok(plan)) = (is_traced, plan) {
            let base = progress.base;
            let bits = body.get(..plan.bitvector).unwrap_or_default();
            progress::trace_bits(&mut progress.trace, plan, bits, base);
            let whole = Span::bytes(base, base.saturating_add(body.len()));
            progress.trace.enter(Layer::Message, &plan.label, whole);
        }
        let result =
            plan.and_then(|plan| self.read_planned(plan, &variants, body, progress)).map_err(|kind| {
                variants.error(number, self.direction, progress, &self.bits, kind, self.previous)
            });
        if !is_traced {
            return result;
        }
        match (&result, plan) {
            (Ok((Some(key), true)), Ok(plan)) => {
                let known = self.memory.get(plan.packet, key);
                let values = known.map_or(self.scratch.as_slice(), |baseline| &baseline.values);
                progress::trace_baseline(&mut progress.trace, plan, &self.bits, values, progress.base);
            }
            (Ok(_), _) => {}
            (Err(error), _) => progress::trace_error(&mut progress.trace, error, progress.base),
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
                field::read(step, &mut self.scratch, &mut from, progress)?;
            }
            check_end(&from)?;
            self.memory.cancel(variants, plan.packet, plan.first(&self.scratch));
            return Ok((None, false));
        }
        self.bits.extend_from_slice(from.take(plan.bitvector, "the bits of the fields")?);
        check_padding(plan, &self.bits)?;
        let mut key = [0; MAX_KEYS];
        for (step, part) in plan.keys.iter().zip(&mut key) {
            progress.begin(step, from.offset());
            let mut value = Value::Absent;
            let start = from.offset();
            step.element.read(&mut from, &mut value)?;
            progress.trace_value(&step.name, &step.element, start..from.offset(), &value);
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
        let mut is_variable_size = false;
        for step in &plan.steps {
            let is_set = step.bit.is_some_and(|bit| is_set(&self.bits, bit));
            if step.is_folded {
                if let Some(value) = values.get_mut(step.field) {
                    *value = Value::Bool(is_set);
                }
                if progress.trace.wants_details()
                    && let Some(bit) = step.bit
                {
                    progress::trace_folded(&mut progress.trace, &step.name, bit, is_set, progress.base);
                }
            } else if is_set {
                progress.begin(step, from.offset());
                field::read(step, values, &mut from, progress)?;
                is_variable_size |= step.is_variable_size;
            } else if !step.dims.is_empty() {
                field::fit(step, values, from.offset())?;
            }
        }
        check_end(&from)?;
        let first = plan.first(values);
        if variants.cancelled(plan.packet).contains(&plan.packet) {
            self.scratch.clone_from(&baseline.values);
        }
        if is_variable_size {
            let weights = baseline.update_weight();
            self.memory.count(weights)?;
        }
        self.memory.cancel(variants, plan.packet, first);
        Ok((Some(key), is_known))
    }
}

/// A decoded packet with all its fields: received values, and baseline values of the fields that were not sent.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a> {
    packet: &'a Packet,
    plan: &'a PacketLayout,
    values: &'a [Value],
    bits: &'a [u8],
    is_known: bool,
}

impl<'a> Decoded<'a> {
    /// Returns the packet's definition.
    pub const fn packet(&self) -> &'a Packet {
        self.packet
    }

    /// Returns one value for each field of the definition, in order.
    pub const fn values(&self) -> &'a [Value] {
        self.values
    }

    /// Returns the value of the field with this name, in the form that was sent. Searches linearly.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        value_named(self.packet, self.values, name)
    }

    /// Returns the bitvector as it was sent. It is empty for packets without one.
    pub const fn bits(&self) -> &'a [u8] {
        self.bits
    }

    /// Returns whether a baseline of this type and key existed before.
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    /// Returns whether the packet has a bitvector.
    pub const fn is_delta(&self) -> bool {
        self.plan.is_delta
    }

    /// Returns the bit of a field, or `None` for keys and in packets without a bitvector.
    pub fn bit(&self, field: usize) -> Option<bool> {
        let step = self.plan.steps.iter().find(|step| step.field == field)?;
        step.bit.map(|bit| is_set(self.bits, bit))
    }
}

/// Checks that the whole body was read.
fn check_end(from: &Reader<'_>) -> Result<()> {
    match from.remaining().len() {
        0 => Ok(()),
        left => Err(CodecError::new(from.offset(), "the end of the packet", Found::Bytes(left))),
    }
}

/// Checks that the padding bits are 0.
fn check_padding(plan: &PacketLayout, bits: &[u8]) -> Result<()> {
    let end = bits.len().saturating_mul(8);
    match (plan.bits..end).find(|bit| is_set(bits, *bit)) {
        None => Ok(()),
        Some(bit) => Err(CodecError::new(bit / 8, "no bit after those of the fields", found(bit))),
    }
}

/// Returns the value of the field with this name, in the form that exists. Searches linearly.
pub(crate) fn value_named<'a>(packet: &Packet, values: &'a [Value], name: &str) -> Option<&'a Value> {
    let mut forms = packet.fields.iter().zip(values).filter(|(field, _)| field.is_named(name));
    let (_, first) = forms.next()?;
    Some(if *first == Value::Absent { forms.next().map_or(first, |(_, other)| other) } else { first })
}
