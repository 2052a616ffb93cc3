"""The commands of a player, as methods."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

ReplyT = TypeVar("ReplyT")


class Commands(Generic[ReplyT]):
    """The commands of Freeciv. Each returns the reply of the server.

    Units and cities are ids, tiles are numbers, and rules are the untranslated names of the ruleset.
    """

    def do(self, command_name: str, /, **fields: Any) -> ReplyT:
        """Executes a command by name. Fields that are `None` are left out."""
        raise NotImplementedError

    def act(
        self, unit: int, action: str, tile: int | None = None, sub_target: int | None = None, name: str | None = None
    ) -> ReplyT:
        """Performs an action if it is legal. `action`: name or number, as in legal_actions; `tile`: that of
        the target; without it that of the unit; `sub_target`: id of a building, advance or extra; `name`: of
        a city to be founded; without it the server suggests one."""
        return self.do("act", unit=unit, action=action, tile=tile, sub_target=sub_target, name=name)

    def perform(self, action: Mapping[str, Any], name: str | None = None) -> ReplyT:
        """Performs an entry of `all_legal_actions`. `name`: of a city to be founded; without it the server suggests one."""
        key = {part: action.get(part) for part in ("actor", "kind", "target", "part")}
        return self.do("perform", **key, name=name)

    def end_turn(self) -> ReplyT:
        """Ends the turn. The event turn follows when all players have ended theirs."""
        return self.do("end_turn")

    def say(self, text: str) -> ReplyT:
        """Sends a line of chat, or a command of the server if it starts with /."""
        return self.do("say", text=text)

    def found_city(self, unit: int, name: str | None = None) -> ReplyT:
        """Founds a city. Without a name the server suggests one."""
        return self.do("found_city", unit=unit, name=name)

    def move(self, unit: int, direction: str) -> ReplyT:
        """Moves a unit by one tile. `direction`: one of northwest, north, northeast, west, east, southwest,
        south, southeast."""
        return self.do("move", unit=unit, direction=direction)

    def go_to(self, unit: int, tile: int) -> ReplyT:
        """Sends a unit to a tile; it continues in the next turns."""
        return self.do("go_to", unit=unit, tile=tile)

    def fortify(self, unit: int) -> ReplyT:
        """Fortifies a unit."""
        return self.do("fortify", unit=unit)

    def sentry(self, unit: int) -> ReplyT:
        """Lets a unit sleep until another unit is near."""
        return self.do("sentry", unit=unit)

    def stop(self, unit: int) -> ReplyT:
        """Ends the activity and the orders of a unit."""
        return self.do("stop", unit=unit)

    def explore(self, unit: int) -> ReplyT:
        """Lets the server move a unit to explore."""
        return self.do("explore", unit=unit)

    def auto_work(self, unit: int) -> ReplyT:
        """Lets the server choose the work of a unit."""
        return self.do("auto_work", unit=unit)

    def convert(self, unit: int) -> ReplyT:
        """Converts a unit to another type."""
        return self.do("convert", unit=unit)

    def transform(self, unit: int) -> ReplyT:
        """Transforms the terrain on the tile of a unit."""
        return self.do("transform", unit=unit)

    def irrigate(self, unit: int) -> ReplyT:
        """Irrigates the tile of a unit, or cultivates it."""
        return self.do("irrigate", unit=unit)

    def mine(self, unit: int) -> ReplyT:
        """Mines the tile of a unit, or plants it."""
        return self.do("mine", unit=unit)

    def clean_pollution(self, unit: int) -> ReplyT:
        """Cleans pollution."""
        return self.do("clean_pollution", unit=unit)

    def clean_fallout(self, unit: int) -> ReplyT:
        """Cleans fallout."""
        return self.do("clean_fallout", unit=unit)

    def build(self, unit: int, extra: str) -> ReplyT:
        """Builds an extra, such as Road or Fortress."""
        return self.do("build", unit=unit, extra=extra)

    def pillage(self, unit: int, extra: str | None = None) -> ReplyT:
        """Pillages the tile of a unit."""
        return self.do("pillage", unit=unit, extra=extra)

    def disband(self, unit: int) -> ReplyT:
        """Disbands a unit."""
        return self.do("disband", unit=unit)

    def load(self, unit: int, carrier: int) -> ReplyT:
        """Loads a unit onto a transporter."""
        return self.do("load", unit=unit, carrier=carrier)

    def unload(self, unit: int, carrier: int) -> ReplyT:
        """Unloads a unit."""
        return self.do("unload", unit=unit, carrier=carrier)

    def upgrade_type(self, unit_type: str) -> ReplyT:
        """Upgrades all units of a type in cities."""
        return self.do("upgrade_type", unit_type=unit_type)

    def produce(self, city: int, item: str) -> ReplyT:
        """Sets the production of a city. `item`: a unit type or building."""
        return self.do("produce", city=city, item=item)

    def worklist(self, city: int, items: Sequence[str]) -> ReplyT:
        """Sets the items that a city produces after the current one."""
        return self.do("worklist", city=city, items=items)

    def buy(self, city: int) -> ReplyT:
        """Buys the production of a city."""
        return self.do("buy", city=city)

    def sell(self, city: int, building: str) -> ReplyT:
        """Sells a building of a city."""
        return self.do("sell", city=city, building=building)

    def rename_city(self, city: int, name: str) -> ReplyT:
        """Renames a city."""
        return self.do("rename_city", city=city, name=name)

    def make_specialist(self, city: int, tile: int) -> ReplyT:
        """Turns the citizen on a tile into a specialist."""
        return self.do("make_specialist", city=city, tile=tile)

    def make_worker(self, city: int, tile: int) -> ReplyT:
        """Lets a specialist work a tile."""
        return self.do("make_worker", city=city, tile=tile)

    def change_specialist(self, city: int, from_: int, to: int) -> ReplyT:
        """Changes the kind of a specialist, by ids."""
        return self.do("change_specialist", city=city, **{"from": from_}, to=to)

    def rally_point(self, city: int, path: Sequence[str], persistent: bool | None = None) -> ReplyT:
        """Sets the path on which the next new unit of a city is sent, or every one if it is persistent. An
        empty path removes it. `path`: directions, as in move."""
        return self.do("rally_point", city=city, path=path, persistent=persistent)

    def research(self, advance: int | str) -> ReplyT:
        """Sets the current research. `advance`: id or name."""
        return self.do("research", advance=advance)

    def research_goal(self, advance: int | str) -> ReplyT:
        """Sets the goal of research. `advance`: id or name."""
        return self.do("research_goal", advance=advance)

    def government(self, government: str) -> ReplyT:
        """Starts a revolution that leads to a government."""
        return self.do("government", government=government)

    def tax_rates(self, tax: int, luxury: int, science: int) -> ReplyT:
        """Sets the rates, which add up to 100."""
        return self.do("tax_rates", tax=tax, luxury=luxury, science=science)

    def meet(self, player: int) -> ReplyT:
        """Starts a meeting with a player."""
        return self.do("meet", player=player)

    def add_clause(self, player: int, giver: int, clause: str, value: int | str) -> ReplyT:
        """Adds a clause to the treaty of a meeting. `clause`: such as gold, advance, embassy, peace; `value`:
        the gold, the id of a city, or the id or the name of an advance; 0 for others."""
        return self.do("add_clause", player=player, giver=giver, clause=clause, value=value)

    def remove_clause(self, player: int, giver: int, clause: str, value: int | str) -> ReplyT:
        """Removes a clause. `value`: as for add_clause."""
        return self.do("remove_clause", player=player, giver=giver, clause=clause, value=value)

    def accept_treaty(self, player: int) -> ReplyT:
        """Accepts the treaty of a meeting, or withdraws the acceptance."""
        return self.do("accept_treaty", player=player)

    def cancel_meeting(self, player: int) -> ReplyT:
        """Ends a meeting without a treaty."""
        return self.do("cancel_meeting", player=player)

    def cancel_pact(self, player: int) -> ReplyT:
        """Cancels the pact with a player."""
        return self.do("cancel_pact", player=player)

    def end_shared_vision(self, player: int) -> ReplyT:
        """Ends the vision that is shared with a player."""
        return self.do("end_shared_vision", player=player)

    def end_shared_tiles(self, player: int) -> ReplyT:
        """Ends the sharing of tiles with a player. Since 3.2."""
        return self.do("end_shared_tiles", player=player)

    def vote(self, vote: int, value: int) -> ReplyT:
        """Votes: 1 yes, 0 abstain, -1 no."""
        return self.do("vote", vote=vote, value=value)

    def launch_spaceship(self) -> ReplyT:
        """Launches the spaceship."""
        return self.do("launch_spaceship")
