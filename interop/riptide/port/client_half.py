"""Runs the client of an example of the Python port without its server: `client_half.py FOLDER ServerClientUDP`."""

import sys
import threading
import time
from importlib import import_module

sys.path.insert(0, sys.argv[1])
example = import_module(sys.argv[2])
# An exception in a thread of the example must not leave this program running.
threading.excepthook = lambda failure: print(failure.exc_type.__name__, failure.exc_value, file=sys.stderr)
client = example.connectClient()
client.registerMessageHandler(example.MESSAGE_ID_HANDLED, example.clientHandleMessage)
time.sleep(2)
hello = example.message.create(example.MessageSendMode.Reliable, example.MESSAGE_ID_HANDLED)
hello.putString("Hello World !")
client.send(hello)
# The driver ends this program.
time.sleep(60)
