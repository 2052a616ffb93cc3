//! Games that end, for all players or for one.

use gamewire_freeciv::packets::{EndgamePlayer, EndgameReport, Packet, PlayerInfo};
use gamewire_freeciv::world::{Change, Ending};

use super::replay::{ALL, replay};

#[test]
fn a_game_is_over_with_the_scores_of_all_players() {
    let mut world = replay("game", &ALL, |_, _| {});
    assert_eq!((world.ending(), world.ranking()), (None, None));
    world.apply(&Packet::EndgameReport(&EndgameReport { player_num: 2, ..EndgameReport::default() }));
    assert_eq!(world.ending(), Some(Ending::GameOver));
    assert!(world.take_changes().contains(&Change::GameEnded));
    for (player, score) in [(3, 120), (0, 80), (1, 7)] {
        assert_eq!(world.ranking().is_some(), player == 1);
        let score =
            EndgamePlayer { player_id: player, score, winner: player == 3, ..EndgamePlayer::default() };
        world.apply(&Packet::EndgamePlayer(&score));
    }
    // The third player was not announced.
    let ranking: Vec<_> =
        world.ranking().unwrap().iter().map(|it| (it.player_id, it.score, it.winner)).collect();
    assert_eq!(ranking, [(3, 120, true), (0, 80, false)]);
}

#[test]
fn a_destroyed_nation_has_no_more_turns_and_others_do_not_matter() {
    let mut world = replay("game", &ALL, |_, _| {});
    let me = world.me().unwrap().clone();
    let other = world.players().find(|player| player.playerno != me.playerno).unwrap().clone();
    world.apply(&Packet::PlayerInfo(&PlayerInfo { is_alive: false, ..other }));
    assert_eq!(world.ending(), None);
    world.apply(&Packet::PlayerInfo(&PlayerInfo { is_alive: false, ..me }));
    assert_eq!(world.ending(), Some(Ending::Destroyed));
}
