"""A proxy that can delay responses."""

import http.client
import http.server
import threading


class Gate:
    """Forwards requests to a server. Responses to `method` that contain the bytes `held` wait until `open`. WebSockets
    are rejected, so clients have to fetch new rows."""

    def __init__(self, server, held, method="GET"):
        self.opened = threading.Event()
        # Set once a response has been delayed.
        self.reached = threading.Event()
        self.close(held)
        # Rows with these bytes are rejected, as if the server's table couldn't store them.
        self.rejected = None
        # A request for a path with this prefix gets no response.
        self.broken = None
        gate = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                try:
                    self.exchange()
                except OSError:
                    self.close_connection = True  # the server is down, or the client has disconnected

            def exchange(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.headers.get("Upgrade"):
                    return self.send_error(501)
                if gate.broken and self.path.startswith(gate.broken):
                    self.close_connection = True
                    return None
                if gate.rejected and self.command == "POST" and gate.rejected in body:
                    return self.reject()
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
                connection.request(self.command, self.path, body, dict(self.headers))
                response = connection.getresponse()
                content = response.read()
                self.send_response(response.status)
                for name, value in response.getheaders():
                    if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                        self.send_header(name, value)
                connection.close()
                if self.command == "HEAD":
                    return self.end_headers()
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                if self.command == method and gate.held in content:
                    gate.reached.set()
                    # Clients time out after some seconds without data. White space before JSON counts as data.
                    while not gate.opened.wait(0.2):
                        self.send_part(b" " * 100)
                if content:
                    self.send_part(content)
                self.send_part(b"")

            def reject(self):
                response = b'{"code":"22P02","message":"invalid input","details":null,"hint":null}'
                self.send_response(400)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(response)))
                self.end_headers()
                self.wfile.write(response)

            def send_part(self, part):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = pass_on

            def log_message(self, *_):
                """Suppresses the log, which no test reads."""

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_port}"

    def open(self):
        self.opened.set()

    def close(self, held):
        self.held = held
        self.reached.clear()
        self.opened.clear()

    def stop(self):
        self.open()
        self._http.shutdown()
        self._http.server_close()
