import Foundation
import TemporaryFolders

/// An `https` server with a self-signed certificate for `localhost`.
final class TLSServer {
  private(set) var port = 0
  /// The certificate's path, which a test can pass as trusted.
  let certificate: String
  private let folder: TemporaryFolder
  private let process = Process()

  /// - Parameter years: the first and the last year in which its self-signed certificate for `localhost` is valid.
  init(years: ClosedRange<Int> = 2020...2090) throws {
    folder = try TemporaryFolder("trunk-tls").created()
    certificate = folder.path + "/certificate.pem"
    try Data().write(to: URL(fileURLWithPath: folder.path + "/issued"))
    try Data(TLSServer.authority.utf8).write(to: URL(fileURLWithPath: folder.path + "/authority.conf"))
    try openssl(
      "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "request.pem")
    try openssl(
      "ca", "-batch", "-selfsign", "-notext", "-config", "authority.conf", "-keyfile", "key.pem", "-in", "request.pem",
      "-startdate", "\(years.lowerBound)0101000000Z", "-enddate", "\(years.upperBound)1231000000Z", "-out", certificate)

    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", TLSServer.program, certificate, folder.path + "/key.pem"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  private func openssl(_ arguments: String...) throws {
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openssl.arguments = arguments
    openssl.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let messages = Pipe()
    openssl.standardError = messages
    try openssl.run()
    _ = messages.fileHandleForReading.readDataToEndOfFile()  // it ends with the program
  }

  /// Lets `openssl ca` issue a certificate for any dates.
  private static let authority = """
    [ca]
    default_ca = own
    [own]
    database = issued
    new_certs_dir = .
    rand_serial = yes
    default_md = sha256
    policy = any
    copy_extensions = copy
    [any]
    commonName = supplied
    """

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
