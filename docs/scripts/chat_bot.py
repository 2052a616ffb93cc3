#!/usr/bin/env python3
"""A chat bot for Teeworlds and DDNet over `gamewire join --json`: chat_bot.py URL [GAMEWIRE]"""

import json
import subprocess
import sys

url, gamewire = sys.argv[1], (sys.argv[2:] or ["gamewire"])[0]
game = subprocess.Popen(
    [gamewire, "join", url, "--name", "parrot", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)


def send(command, **fields):
    print(json.dumps({"command": command, **fields}), file=game.stdin, flush=True)


for line in game.stdout:
    event = json.loads(line)
    if event["event"] == "entered":
        send("say", text="hello, I repeat what you say")
    elif event["event"] == "joined" and not event["silent"] and event["name"] != "parrot":
        send("say", text=f"welcome, {event['name']}")
    elif event["event"] == "chat" and event["name"] not in (None, "parrot"):
        if event["text"] == "bye":
            send("leave")
        else:
            send("say", text=f"{event['name']} says: {event['text']}")
            send("emoticon", emoticon="music")
            send("set_input", direction=1, target_x=100, jump=True)
sys.exit(game.wait())
