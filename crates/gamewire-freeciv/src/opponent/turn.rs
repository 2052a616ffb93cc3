use super::outlook::Outlook;
use super::{
    Opponent, attack, citizens, defense, government, production, purchase, research, treaties, wonder,
};
use crate::packets::OwnedPacket;
use crate::world::World;

impl Opponent {
    /// Returns the orders of a turn, except the order to end it. Call it once, after the turn has begun.
    pub fn turn(&mut self, world: &World) -> Vec<OwnedPacket> {
        let mut orders = Vec::new();
        let outlook = Outlook::new(world);
        research::choose(world, &mut orders);
        government::rule(self, world, &outlook, &mut orders);
        treaties::negotiate(world, &mut orders);
        self.command(world, &outlook, &mut orders);
        attack::attack(world, &outlook, &mut orders);
        let renewed = defense::renew(world, &outlook, &mut orders);
        defense::station(world, &outlook, &renewed, &mut orders);
        wonder::help(world, &mut orders);
        production::manage(self, world, &outlook, &mut orders);
        citizens::place(world, &mut orders);
        purchase::buy(world, &outlook, &mut orders);
        orders
    }
}
