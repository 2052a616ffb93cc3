use serde::Serialize;

use crate::legal::LegalTarget;
use crate::world::{LegalAction, SubTarget};

/// An action that is legal for a unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalActionView<'a> {
    /// Name of the action, the same in all versions and rulesets. `None` for a number that is not known.
    pub action: Option<&'static str>,
    /// Number of the action on the wire.
    pub number: u8,
    /// Name in the ruleset.
    pub name: &'a str,
    /// The tile of the question.
    pub tile: i32,
    /// The target.
    pub target: LegalTarget,
    /// The part of the target that can be chosen: `building`, `advance`, `extra`, `new extra` or `unknown`.
    pub sub_target: Option<&'static str>,
    /// Id of the extra that the server suggests.
    pub extra: Option<u8>,
    /// Lowest and highest probability of success, in percent.
    pub percent: Option<[f64; 2]>,
}

impl<'a> LegalActionView<'a> {
    /// Describes an action. `tile` is the tile of the question.
    pub fn new(action: &'a LegalAction, tile: i32) -> Self {
        let sub_target = match action.sub_target {
            SubTarget::None => None,
            SubTarget::Building => Some("building"),
            SubTarget::Advance => Some("advance"),
            SubTarget::Extra => Some("extra"),
            SubTarget::NewExtra => Some("new extra"),
            SubTarget::Unknown(_) => Some("unknown"),
        };
        let percent = |half: u8| f64::from(half) / 2.0;
        Self {
            action: action.action.map(|action| action.name()),
            number: action.id,
            name: &action.name,
            tile,
            target: action.target.into(),
            sub_target,
            extra: action.extra,
            percent: action.probability.map(|it| [percent(it.min), percent(it.max)]),
        }
    }
}
