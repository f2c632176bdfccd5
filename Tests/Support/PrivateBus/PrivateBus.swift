import Foundation
import TemporaryFolders

/// A separate message bus and home folder for the programs of one test. The bus starts no service by itself.
public final class PrivateBus {
  private let folder = TemporaryFolder("bus")
  public var home: URL { URL(fileURLWithPath: folder.path) }
  private let daemon: Process
  private let address: String
  private var services: [Process] = []

  private static let buildFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Starts the bus and creates the home folder, which is removed with this object.
  public init() async throws {
    let home = URL(fileURLWithPath: folder.path)
    try FileManager.default.createDirectory(
      at: home.appendingPathComponent("run"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let configuration = home.appendingPathComponent("bus.conf")
    try PrivateBus.configuration(folder: home.path + "/run").write(
      to: configuration, atomically: false, encoding: .utf8)
    daemon = Process()
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    daemon.arguments = ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"]
    daemon.standardError = FileHandle.nullDevice
    let output = Pipe()
    daemon.standardOutput = output
    try daemon.run()
    address = await Lines(output).next() ?? ""
  }

  deinit {
    for process in services + [daemon] { process.end() }
  }

  /// Starts gnome-keyring and waits until it is ready.
  /// - Parameter password: the password of the login keyring, which is created if there is none; `nil` unlocks nothing.
  public func startKeyring(password: String?) async throws {
    let input = Pipe()
    try start(
      "/usr/bin/gnome-keyring-daemon",
      ["--foreground", "--components=secrets"] + (password == nil ? [] : ["--unlock"]), input: input)
    if let password { try input.fileHandleForWriting.write(contentsOf: Data(password.utf8)) }
    try input.fileHandleForWriting.close()
    try await wait(for: "org.freedesktop.secrets")
  }

  /// Starts a program in the folder `Tests/Support/PrivateBus` and waits for its first line.
  /// - Returns: the input of the program.
  @discardableResult
  public func startFake(_ script: String, _ arguments: String...) async throws -> FileHandle {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let (input, output) = (Pipe(), Pipe())
    try start(
      "/usr/bin/python3", [folder.appendingPathComponent(script).path] + arguments, input: input, output: output)
    guard await Lines(output).next() == "ready" else { throw CocoaError(.executableLoad) }
    return input.fileHandleForWriting
  }

  /// Runs a program and waits for its end, which must be a success.
  public func runTool(_ program: String, _ arguments: String..., input text: String) async throws {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    _ = await Lines(output).all()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  /// Ends the service that was started last.
  public func stopService() {
    services.removeLast().end()
  }

  /// Runs `desktop-probe` until it ends, and returns the lines of its output.
  public func probe(_ arguments: String...) async throws -> [String] {
    await (try startProbe(arguments)).all()
  }

  /// Starts `desktop-probe` and returns its output.
  /// - Parameter environment: additional or changed environment variables.
  public func startProbe(_ arguments: [String], environment: [String: String] = [:]) throws -> Lines {
    let output = Pipe()
    let process = Process()
    process.executableURL = PrivateBus.buildFolder.appendingPathComponent("desktop-probe")
    process.arguments = arguments
    process.environment = self.environment.merging(environment) { $1 }
    process.standardOutput = output
    try process.run()
    return Lines(output, of: process)
  }

  private func start(_ program: String, _ arguments: [String], input: Pipe, output: Pipe? = nil) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input
    process.standardOutput = output ?? FileHandle.nullDevice as Any
    if output == nil { process.standardError = FileHandle.nullDevice }
    try process.run()
    services.append(process)
  }

  private func wait(for name: String) async throws {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gdbus")
    process.arguments = ["wait", "--session", "--timeout", "60", name]
    process.environment = environment
    process.standardOutput = output
    try process.run()
    _ = await Lines(output).all()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  private var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": home.path, "XDG_DATA_HOME": home.path + "/data",
      "XDG_RUNTIME_DIR": home.path + "/run", "LC_ALL": "C.UTF-8", "DBUS_SESSION_BUS_ADDRESS": address,
      "DBUS_SYSTEM_BUS_ADDRESS": address,
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
    ]
  }

  private static func configuration(folder: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:dir=\(folder)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """
  }
}

extension Process {
  /// Kills the process and waits for its end. SIGTERM wouldn't work: the threads that run tests block it, and the
  /// programs that they start inherit that.
  func end() {
    if isRunning { kill(processIdentifier, SIGKILL) }
    waitUntilExit()
  }
}
