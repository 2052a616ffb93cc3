//! Orders of a player, in the game's own words. Each function makes the packet of an order; the server's reply tells
//! whether it was done.
//!
//! Nothing here checks the rules, because the server does. An [`OrderError`] means that there is no packet for the
//! order.

mod chat;
mod city;
mod diplomacy;
mod error;
mod movement;
mod player;
mod unit;
mod work;

pub use chat::{chat, detach, observe, observe_player, start_game, take_player};
pub use city::{
    buy, change_specialist, make_specialist, make_worker, rename_city, sell_building, set_production,
    set_worklist,
};
pub use diplomacy::{
    accept_treaty, add_clause, cancel_meeting, cancel_pact, end_shared_vision, init_meeting, remove_clause,
};
pub use error::OrderError;
pub use movement::{go_to, move_along, step};
pub use player::{
    choose_nation, end_turn, ready, set_government, set_research, set_research_goal, set_tax_rates,
};
pub use unit::{
    attack, conquer_city, disband, do_action, found_city, help_wonder, join_city, load, set_home_city,
    unload, upgrade,
};
pub use work::{
    auto_work, build, clean_fallout, clean_pollution, explore, fortify, irrigate, mine, pillage, sentry,
    set_activity, stop, transform_terrain,
};
