"""Players in Chromium and Firefox on a network that loses 2 % of all packets."""

import gamewire
import lossy
from runner import long


@long
def chromium_with_loss() -> None:
    lossy.play("chromium", "ws", gamewire.GAMEWIRE)


@long
def chromium_over_tls_with_loss() -> None:
    lossy.play("chromium", "wss", gamewire.GAMEWIRE)


@long
def firefox_with_loss() -> None:
    lossy.play("firefox", "ws", gamewire.GAMEWIRE)


@long
def firefox_over_tls_with_loss() -> None:
    lossy.play("firefox", "wss", gamewire.GAMEWIRE)
