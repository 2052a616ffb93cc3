//! Treaties with other players. The opponent offers embassies and peace, and accepts treaties that cost nothing.

use super::own;
use crate::number::{Clause, DiplomaticState};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::world::{Meeting, TreatyClause, World};

/// Turns between two offers to a player.
const INTERVAL: i16 = 8;
/// Clauses that bind both players and cost nothing.
const FREE: [Clause; 3] = [Clause::PEACE, Clause::CEASEFIRE, Clause::EMBASSY];

/// Accepts or cancels open meetings, and opens new ones.
pub(super) fn negotiate(world: &World, orders: &mut Vec<OwnedPacket>) {
    for (with, meeting) in world.diplomacy().meetings() {
        let gives = meeting
            .clauses
            .iter()
            .any(|clause| Some(clause.giver) == world.my_number() && !FREE.contains(&clause.clause));
        match (gives, meeting) {
            (false, Meeting { other_accepted: true, i_accepted: false, .. }) => {
                orders.push(own(&orders::accept_treaty(with)));
            }
            (false, Meeting { other_accepted: true, .. }) => {}
            _ => orders.push(own(&orders::cancel_meeting(with))),
        }
    }
    if world.turn() % INTERVAL == 0 {
        offer(world, orders);
    }
}

/// Offers an exchange of embassies, a cease-fire or peace to each player who can be met.
fn offer(world: &World, orders: &mut Vec<OwnedPacket>) {
    let Some(me) = world.me() else { return };
    let others = world.players().filter(|other| {
        other.playerno != me.playerno
            && other.is_alive
            && other.barbarian_type == 0
            && world.diplomacy().meeting(other.playerno).is_none()
    });
    for other in others {
        let with = other.playerno;
        let Some(relation) = world.diplomacy().relation(me.playerno, with) else { continue };
        let has_embassy = me.real_embassy.get(usize::from(with));
        if relation.contact_turns_left == 0 && !has_embassy {
            continue;
        }
        let clause = |giver: u16, clause: Clause| TreatyClause { giver, clause, value: 0 };
        let clauses = match relation.state {
            _ if !has_embassy => vec![clause(me.playerno, Clause::EMBASSY), clause(with, Clause::EMBASSY)],
            DiplomaticState::WAR => vec![clause(me.playerno, Clause::CEASEFIRE)],
            DiplomaticState::CEASEFIRE => vec![clause(me.playerno, Clause::PEACE)],
            _ => continue,
        };
        orders.push(own(&orders::init_meeting(with)));
        orders.extend(clauses.into_iter().map(|clause| own(&orders::add_clause(with, clause))));
        orders.push(own(&orders::accept_treaty(with)));
    }
}
