use std::sync::Arc;

use gamewire_schema::ir::Info;
use gamewire_wire::{CodecError, Found};

use super::baseline_map::{BaselineMap, DeltaLimits, baseline_methods};
use super::error::{DeltaError, DeltaErrorKind};
use super::field;
use super::number::found;
use super::packet_layout::{FieldLayout, Key, MAX_KEYS, PacketLayout, is_set};
use super::progress::FieldCursor;
use super::value::Value;
use super::variants::{Direction, Variants};

/// An encoder for the packets of one direction of a connection.
#[derive(Clone, Debug)]
pub struct DeltaEncoder {
    variants: Arc<Variants>,
    direction: Direction,
    memory: BaselineMap,
    bits: Vec<u8>,
    previous: Option<u16>,
    failed: Option<Box<DeltaError>>,
}

/// Options of an encoded packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions<'a> {
    /// True if the packet must be sent even if it equals its baseline.
    pub force: bool,
    /// The bitvector of a decoded packet that is encoded again. Senders compare floating-point numbers before rounding,
    /// so the bit of such a field can be set although its value on the wire is unchanged. Only the bits of such fields
    /// are used.
    pub bits: &'a [u8],
}

impl DeltaEncoder {
    /// Creates an encoder for a new connection, without baselines.
    pub fn new(variants: Arc<Variants>, direction: Direction, limits: DeltaLimits) -> Self {
        let (memory, bits) = (BaselineMap::new(limits), Vec::new());
        Self { variants, direction, memory, bits, previous: None, failed: None }
    }

    baseline_methods!();

    /// Writes the body of a packet to the end of `out`. Returns false and writes nothing if the packet equals its
    /// baseline and its type is only sent with changes.
    ///
    /// # Errors
    /// [`DeltaError`] if a value does not fit its field, or there are too many baselines. Nothing is written or stored.
    /// Once the baselines take too much memory, every later call also returns that error.
    pub fn encode(
        &mut self,
        number: u16,
        values: &[Value],
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let start = out.len();
        let mut progress = FieldCursor::default();
        match self.write(number, values, options, out, &mut progress) {
            Ok(is_sent) => {
                self.previous = is_sent.then_some(number).or(self.previous);
                Ok(is_sent)
            }
            Err(mut kind) => {
                out.truncate(start);
                if let DeltaErrorKind::Codec(error) = &mut kind {
                    error.offset = error.offset.saturating_sub(start);
                }
                let error =
                    self.variants.error(number, self.direction, &progress, &self.bits, kind, self.previous);
                if matches!(kind, DeltaErrorKind::Memory { .. }) {
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
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
        progress: &mut FieldCursor,
    ) -> Result<bool, DeltaErrorKind> {
        self.bits.clear();
        let start = out.len();
        let variants = Arc::clone(&self.variants);
        let (packet, plan) = variants.plan(number, self.direction)?;
        if values.len() != packet.fields.len() {
            return Err(CodecError::new(out.len(), "a value for each field", found(values.len())).into());
        }
        let first = plan.first(values);
        if !plan.is_delta {
            for step in &plan.steps {
                progress.begin(step, out.len().saturating_sub(start));
                field::write(step, values, &Value::Absent, out, progress)?;
            }
            self.memory.cancel(&variants, plan.packet, first);
            return Ok(true);
        }
        let key = key(plan, values);
        let known = self.memory.get(plan.packet, &key).map(|baseline| baseline.values.as_slice());
        let old = known.unwrap_or(&plan.zero);
        let has_changes = compare(plan, old, values, options.bits, &mut self.bits);
        if known.is_some() && packet.info != Info::Always && !has_changes && !options.force {
            return Ok(false);
        }
        out.extend_from_slice(&self.bits);
        for step in &plan.keys {
            progress.begin(step, out.len().saturating_sub(start));
            field::write(step, values, &Value::Absent, out, progress)?;
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
                field::write(step, values, old, out, progress)?;
            } else {
                field::check_count(step, values, out).inspect_err(|_| progress.begin(step, at))?;
            }
        }
        if has_changes || known.is_none() {
            self.store_baseline(&variants, plan, key, values)?;
        }
        self.memory.cancel(&variants, plan.packet, first);
        Ok(true)
    }

    fn store_baseline(
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
        let mut is_variable_size = false;
        for step in keys.chain(plan.steps.iter().filter(is_sent)) {
            if let (Some(to), Some(from)) = (baseline.values.get_mut(step.field), values.get(step.field)) {
                to.clone_from(from);
                is_variable_size |= step.is_variable_size;
            }
        }
        let weights = is_variable_size.then(|| baseline.update_weight());
        weights.map_or(Ok(()), |weights| self.memory.count(weights))
    }
}

fn key(plan: &PacketLayout, values: &[Value]) -> Key {
    let mut key = [0; MAX_KEYS];
    for (step, part) in plan.keys.iter().zip(&mut key) {
        *part = values.get(step.field).and_then(Value::as_int).unwrap_or(0);
    }
    key
}

/// Computes the bitvector of a packet relative to its baseline. Returns whether they differ.
fn compare(plan: &PacketLayout, old: &[Value], new: &[Value], floats: &[u8], bits: &mut Vec<u8>) -> bool {
    bits.resize(plan.bitvector, 0);
    let mut has_changes = false;
    for step in &plan.steps {
        let (Some(bit), Some(old), Some(new)) = (step.bit, old.get(step.field), new.get(step.field)) else {
            continue;
        };
        let differs = old != new || is_kept_float(step, bit, floats);
        has_changes |= differs;
        let is_set = if step.is_folded { *new == Value::Bool(true) } else { differs };
        if let (true, Some(byte)) = (is_set, bits.get_mut(bit / 8)) {
            *byte |= 1 << (bit % 8);
        }
    }
    has_changes
}

/// Returns whether the bit of a float is set because of a difference that rounding removes.
fn is_kept_float(step: &FieldLayout, bit: usize, floats: &[u8]) -> bool {
    step.is_float && is_set(floats, bit)
}
