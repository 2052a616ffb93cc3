"""Certificates for servers on this machine, made by openssl."""

import base64
import hashlib
import shutil
import subprocess
from pathlib import Path

from runner import Skipped


class Certificate:
    """A self-signed certificate for `localhost` and its key, as the quick start makes them, in a folder."""

    def __init__(self, folder: str) -> None:
        if shutil.which("openssl") is None:
            raise Skipped("no openssl")
        self.file, self.key = Path(folder, "cert.pem"), Path(folder, "key.pem")
        command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 14 -subj /CN=localhost"
        names = ("-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        files = ("-keyout", str(self.key), "-out", str(self.file))
        subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)

    def server(self) -> tuple[str, ...]:
        """Returns the options of `serve riptide`."""
        return "--wss", "127.0.0.1:0", "--cert", str(self.file), "--key-file", str(self.key)

    def client(self) -> tuple[str, ...]:
        """Returns the options of `join`."""
        return "--ca", str(self.file)

    def key_hash(self) -> str:
        """Returns the hash of the public key. Chromium takes it as the name of a certificate to accept."""
        public = ["openssl", "x509", "-in", str(self.file), "-pubkey", "-noout"]
        pem = subprocess.run(public, check=True, capture_output=True).stdout
        der = subprocess.run(
            ["openssl", "pkey", "-pubin", "-outform", "der"], input=pem, check=True, capture_output=True
        ).stdout
        return base64.b64encode(hashlib.sha256(der).digest()).decode()
