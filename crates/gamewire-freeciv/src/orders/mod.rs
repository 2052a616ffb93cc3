//! Orders of a player, in the game's own words. Each function makes the packet of an order.
//!
//! The server checks the rules, and its reply shows the result. An [`OrderError`] means that there is no packet for
//! the order.

mod city;
mod error;
mod player;
mod unit;
mod work;

pub use city::{
    buy, change_specialist, make_specialist, make_worker, rename_city, sell_building, set_production,
    set_worklist,
};
pub use error::OrderError;
pub use player::{
    accept_treaty, add_clause, cancel_meeting, cancel_pact, chat, choose_nation, detach, end_shared_vision,
    end_turn, init_meeting, observe, observe_player, ready, remove_clause, set_government, set_research,
    set_research_goal, set_tax_rates, start_game, take_player,
};
pub use unit::{
    attack, conquer_city, disband, do_action, found_city, go_to, help_wonder, join_city, load, move_along,
    set_home_city, step, unload, upgrade,
};
pub use work::{
    auto_work, build, clean_fallout, clean_pollution, explore, fortify, irrigate, mine, pillage, sentry,
    set_activity, stop, transform_terrain,
};
