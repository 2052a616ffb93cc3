//! The ranges of numbers in messages. The games drop a message with a number out of its range, so the numbers are
//! checked in both directions.

use core::ops::RangeInclusive;

use gamewire_wire::{CodecError, Consequence, Found, Result, Span, Trace, Value, Warning};

use super::error::EncodeError;
use super::message::ClientId;
use crate::shared::field::IntFields;
use crate::shared::value::{Emoticon, Team};

/// The weapons of a kill message: negative for death by the world, by oneself, by leaving.
pub(crate) const KILL_WEAPONS: RangeInclusive<i32> = -3..=5;

/// A trace that remembers the first number out of its range in a received message.
#[derive(Debug, Default)]
pub(crate) struct Ranges {
    last_number: Option<i64>,
    error: Option<CodecError>,
}

impl Ranges {
    /// Returns the error if a number was out of its range.
    pub(crate) fn check(self, packet: &'static str) -> Result<()> {
        self.error.map_or(Ok(()), |error| Err(error.in_packet(packet)))
    }
}

impl Trace for Ranges {
    #[inline]
    fn field(&mut self, _: &str, _: Span, value: Value<'_>) {
        self.last_number = value.number();
    }

    fn warning(&mut self, span: Span, warning: &Warning) {
        if warning.consequence == Consequence::Dropped && self.error.is_none() {
            let found = self.last_number.map_or(Found::End, Found::Value);
            self.error = Some(CodecError::new(span.byte_range().start, "a number in its range", found));
        }
    }
}

/// Converts a client id to the wire, -1 for none. The field allows ids up to `max`.
pub(crate) fn wire_id(
    id: Option<ClientId>,
    max: i32,
    message: &'static str,
    field: &'static str,
) -> Result<i32, EncodeError> {
    EncodeError::check(ClientId::to_wire(id), &(-1..=max), message, field)
}

pub(crate) fn check_team(team: Team, message: &'static str) -> Result<Team, EncodeError> {
    EncodeError::check(team.0, &<Team as IntFields>::RULE, message, "team").map(Team)
}

pub(crate) fn check_emoticon(emoticon: Emoticon) -> Result<Emoticon, EncodeError> {
    EncodeError::check(emoticon.0, &<Emoticon as IntFields>::RULE, "emoticon", "emoticon").map(Emoticon)
}
