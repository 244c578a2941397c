"""debuginfod.py - servers of debug information, good and bad ones.

    with Server() as server:
        server.serve("lib.so")                   # its debug file and itself, by its build-id
        strobe("script", "-i", "F", env=server.env())
        equal(len(server.asked), 1)

    with HangingServer() as server: ...          # takes connections and never answers
    with DeadServer() as server: ...             # does not even take connections
"""
import http.server
import os
import socket
import threading

from debugfiles import build_id
from tap import run


class Server:
    """Knows what it was asked for: .asked, paths in order."""

    def __init__(self):
        self.files, self.asked = {}, []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                body = outer.files.get(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def serve(self, path, known_as=None):
        """known_as: the file whose build-id it is served by."""
        run("objcopy", "--only-keep-debug", path, path + ".kept").ok()
        place = "/buildid/%s/" % build_id(known_as or path)
        for name, file in (("executable", path), ("debuginfo", path + ".kept")):
            with open(file, "rb") as stream:
                self.files[place + name] = stream.read()
        os.remove(path + ".kept")

    def env(self, **more):
        return env(self, **more)


def env(*servers, **more):
    """An environment that asks these servers, with a cache of the case's own."""
    return dict({"DEBUGINFOD_URLS": " ".join(server.url for server in servers), "DEBUGINFOD_CACHE_PATH": os.path.abspath("cache"),
                 "http_proxy": None, "https_proxy": None, "all_proxy": None, "HTTPS_PROXY": None, "ALL_PROXY": None}, **more)


class HangingServer:
    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        self.accepted = []

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def _accept(self):
        try:
            while True:
                self.accepted.append(self.socket.accept())
        except OSError:
            pass

    def __exit__(self, *_):
        self.socket.close()
        for connection, _ in self.accepted:
            connection.close()


class DeadServer:
    """Its queue of connections is full, so the kernel drops what else would connect, as a firewall does."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(0)
        self.url = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        self.waiting = []

    def __enter__(self):
        for _ in range(4):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(self.socket.getsockname())
            self.waiting.append(one)
        return self

    def __exit__(self, *_):
        for one in self.waiting + [self.socket]:
            one.close()
