import Foundation
import TemporaryFolders

/// An `https` server with a self-signed certificate for `localhost`.
final class TLSServer {
  let port: Int
  /// The certificate's path, which a test can pass as trusted.
  let certificate: String
  private let folder: TemporaryFolder
  private let process: Process

  init() throws {
    folder = try TemporaryFolder("trunk-tls").created()
    certificate = folder.path + "/certificate.pem"
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openssl.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder.path + "/key.pem", "-out",
      certificate,
    ]
    let messages = Pipe()
    openssl.standardError = messages
    try openssl.run()
    _ = messages.fileHandleForReading.readDataToEndOfFile()  // it ends with the program

    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", TLSServer.program, certificate, folder.path + "/key.pem"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  deinit {
    // Not SIGTERM: the threads that run tests have blocked it, and so have the programs that they start.
    kill(process.processIdentifier, SIGKILL)
  }

  private static let program = """
    import http.server, ssl, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """
}
