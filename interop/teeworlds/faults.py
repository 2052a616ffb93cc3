"""Known faults of twnet_parser 0.16.1, each with its workaround.

A difference that is not listed here fails the comparison. So does a listed fault that the captures no
longer show, so that the list stays correct for the compared version.
"""

from collections import Counter
from enum import Enum


class Fault(Enum):
    """A known fault; the value describes it in a line."""

    REJECTED_BY_ID = (
        "it does not know Cl_IsDDNetLegacy (game message 26) and rejects the whole datagram: "
        "the other messages of that datagram are compared one by one"
    )
    READS_ON = (
        "it passes every message the rest of the packet instead of its chunk: each chunk is parsed "
        "again in its own datagram"
    )
    PING_NUMBER = "it reads 0.6 PING and PING_REPLY as 22 and 23, but reports 20 and 21"
    UUID_IS_SYSTEM = (
        "its packet parser does not decode messages with a UUID and reports all of them as system "
        "messages: its classes for them are found by its table of UUIDs"
    )
    TEAMS_AT_THE_END = (
        "it expects 128 teams in teamsstate, an older DDNet server sends 64, and it fails at the end "
        "of the data: the teams read before are compared"
    )
    TUNE_PARAMS = "it knows 33 tune params of 0.6, DDNet sends more: 33 are compared"
    MAP_DETAILS = "it ends map-details after the crc; size and url follow"
    PING_CORRECTION = "it does not know the last integer of the 0.7 INPUT"
    PADDING = "it does not report the padding of a CONNECT or TOKEN datagram"
    MAGIC = "it recognizes TKEN in a CONNECT, but reports neither it nor the token after it"
    SHARED_LISTS = (
        "all messages of a kind share one list, so that a later message changes an earlier one: "
        "lists are copied after each message"
    )
    REPEATED = "it does not detect chunks that repeat earlier ones"
    ITEM_DELTA = (
        "it applies deltas of DDNet's items one integer off, because it takes the leading size for "
        "the first integer: repaired for the comparison"
    )
    FIELDS_NOT_SENT = "fields that an older DDNet does not send are 0 for it and absent for us"


class Faults:
    """Counts of the known faults that occurred."""

    def __init__(self) -> None:
        self.met: Counter[Fault] = Counter()

    def meet(self, fault: Fault) -> None:
        """Counts a fault."""
        self.met[fault] += 1

    def not_met(self) -> list[Fault]:
        """Returns the faults that no capture shows."""
        return [fault for fault in Fault if not self.met[fault]]
