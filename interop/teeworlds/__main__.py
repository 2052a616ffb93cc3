"""Tests against other implementations of Teeworlds: twnet_parser and libtw2-huffman from PyPI, teeworlds from npm.

`cargo xtask interop` installs them and runs this.
"""

import argparse
import sys
from pathlib import Path

import huffman
import javascript
import messages

CAPTURES = Path(__file__).resolve().parents[2] / "vectors" / "teeworlds" / "captures"


def main() -> int:
    """Runs the tests and reports like a cargo test program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gamewire", type=Path, required=True, help="the gamewire command")
    parser.add_argument("--codec", type=Path, required=True, help="the example `codec` of the crate gamewire")
    options = parser.parse_args()
    paths = [CAPTURES / f"{name}.pcap" for name in messages.CAPTURES]
    tests = {
        "every_message_that_twnet_parser_knows_agrees": messages.Comparison(options.gamewire, CAPTURES),
        "huffman_agrees_with_libtw2_both_ways": huffman.Comparison(options.codec, paths),
    }
    in_javascript = javascript.Comparison(options.codec, paths)
    name, reason = "integers_and_huffman_agree_with_the_npm_package", in_javascript.missing()
    if reason is None:
        tests[name] = in_javascript
    else:
        print(f"test {name} ... ignored, {reason}", flush=True)
    passed = 0
    for name, comparison in tests.items():
        is_ok = comparison.run()
        print(f"test {name} ... {'ok' if is_ok else 'FAILED'}", flush=True)
        passed += is_ok
    failed = len(tests) - passed
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; {int(reason is not None)} ignored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
