"""What twnet_parser 0.16.1 is known to get wrong, each with what is done about it.

Whatever is not listed here and differs makes the comparison fail. A fault that the captures no
longer show makes it fail too, so that this list stays true for the version that is compared.
"""

from collections import Counter
from enum import Enum


class Fault(Enum):
    """A known fault; the value tells it in a line."""

    REJECTED_BY_ID = (
        "Cl_IsDDNetLegacy (game message 26) is unknown to it, and it rejects the whole datagram: "
        "the other messages of that datagram are compared one by one"
    )
    READS_ON = (
        "it hands every message the rest of the packet, not its chunk: each chunk is given to it "
        "once more in a datagram of its own"
    )
    PING_NUMBER = "it reads 0.6 PING and PING_REPLY as 22 and 23, but calls them 20 and 21"
    UUID_IS_SYSTEM = (
        "its packet parser leaves messages with a UUID undecoded and calls all of them system "
        "messages: its own classes for them are looked up by its own table of UUIDs"
    )
    TEAMS_AT_THE_END = (
        "teamsstate is 128 teams to it, an older DDNet server sends 64, and it fails at the end "
        "of the data: what it has read until then is compared"
    )
    TUNE_PARAMS = "it knows 33 tune params of 0.6, DDNet sends more: those 33 are compared"
    MAP_DETAILS = "map-details ends after the crc for it; size and url follow"
    PING_CORRECTION = "it does not know the last integer of the 0.7 INPUT"
    PADDING = "it does not look at what only fills up a CONNECT or TOKEN datagram"
    MAGIC = "it recognises TKEN in a CONNECT, but tells neither that nor the token behind it"
    SHARED_LISTS = (
        "all messages of a kind share one list, so that a later one changes what an earlier one "
        "says: lists are copied as soon as a message has been read"
    )
    REPEATED = "which chunks repeat earlier ones is nothing that it follows"
    ITEM_DELTA = (
        "it adds up deltas of DDNet's items one integer off, since the size in front is taken for "
        "the first: repaired while it is compared"
    )
    FIELDS_NOT_SENT = "fields that an older DDNet does not send are 0 to it, and absent for us"


class Faults:
    """How often each known fault was met."""

    def __init__(self) -> None:
        self.met: Counter[Fault] = Counter()

    def meet(self, fault: Fault) -> None:
        """Counts a fault."""
        self.met[fault] += 1

    def not_met(self) -> list[Fault]:
        """Faults that nothing in the captures shows."""
        return [fault for fault in Fault if not self.met[fault]]
