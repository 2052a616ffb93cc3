"""Tests against other implementations of Teeworlds: twnet_parser and libtw2-huffman, from PyPI.

`cargo xtask interop` installs both and runs this.
"""

import argparse
import sys
from pathlib import Path

import huffman
import messages

CAPTURES = Path(__file__).resolve().parents[2] / "vectors" / "teeworlds" / "captures"


def main() -> int:
    """Runs the tests and reports like a cargo test program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gamewire", type=Path, required=True, help="the gamewire command")
    parser.add_argument("--huffman", type=Path, required=True, help="the example `huffman` of the crate gamewire")
    options = parser.parse_args()
    tests = {
        "every_message_that_twnet_parser_knows_agrees": messages.Comparison(options.gamewire, CAPTURES),
        "huffman_agrees_with_libtw2_both_ways": huffman.Comparison(
            options.huffman, [CAPTURES / f"{name}.pcap" for name in messages.CAPTURES]
        ),
    }
    passed = 0
    for name, comparison in tests.items():
        is_ok = comparison.run()
        print(f"test {name} ... {'ok' if is_ok else 'FAILED'}", flush=True)
        passed += is_ok
    failed = len(tests) - passed
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; 0 ignored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
