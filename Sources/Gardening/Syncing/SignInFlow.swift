import CGLib
import Garden
import Glibc
import Localization
import Observation
import Sync

/// Signing in by a code that comes by e-mail: an address, then the code. The step survives closing the dialog and the
/// program, since the mail may take a while.
@MainActor
@Observable
public final class SignInFlow {
  public enum Step: Sendable, Equatable {
    case address
    /// A code is on its way to this address.
    case code(email: String)
  }

  public private(set) var step = Step.address
  /// A request is on its way.
  public private(set) var isBusy = false
  /// Why the last request did not work.
  public private(set) var failure: SignInFailure?
  /// Until its end no other code may be asked for.
  public private(set) var resendPause: Pause?

  @ObservationIgnored private let signIn: SignIn
  @ObservationIgnored private let clock: Clock
  @ObservationIgnored private let memory: SignInMemory
  /// How long the server wants to be left alone after `failure`; `nil` if it does not say.
  @ObservationIgnored private var failurePause: Pause?

  /// A time for which the server wants to be left alone.
  public struct Pause: Sendable, Equatable {
    let end: Instant
    /// From its beginning to its end.
    let seconds: Int64

    init(from start: Instant, seconds: Int64) {
      end = start.adding(seconds: seconds)
      self.seconds = seconds
    }

    /// Seconds until the end; 0 from then on.
    func left(at now: Instant) -> Int64 {
      let left = end.milliseconds - now.milliseconds
      // A clock that was set back must not make anybody wait for longer than the pause.
      return min(max(0, (left + 999) / 1000), seconds)
    }
  }

  /// Servers send no second code before this many seconds.
  private static let usualPause: Int64 = 60
  /// A usual code has this many digits and is sent off by the last of them; servers may have up to ten.
  public static let usualDigits = 6

  public init(_ signIn: SignIn, clock: Clock = .system, stateFolder: String = Folders.state) {
    self.signIn = signIn
    self.clock = clock
    memory = SignInMemory(path: stateFolder + "/sign-in.conf", server: signIn.server)
    guard let (email, sentAt) = memory.load() else { return }
    if sentAt.adding(seconds: SignInMemory.lifetime) > clock.now() {
      step = .code(email: email)
      resendPause = Pause(from: sentAt, seconds: Self.usualPause)
    } else {
      memory.forget()
    }
  }

  /// What people call the server: its address without `https://`.
  public var serverName: String { String(signIn.server.drop { $0 != "/" }.drop { $0 == "/" }) }

  /// Why the last request did not work, in plain words; it tells the time that is left until the next one may.
  public var problem: String? {
    guard let failurePause else { return failure?.message }
    let left = failurePause.left(at: clock.now())
    guard left > 0 else { return nil }
    if case .locked = failure { return SignInFailure.locked(seconds: left).message }
    return SignInFailure.tooMany(seconds: left).message
  }

  /// The server takes no code for the address any more: a new one is needed, in `secondsUntilResend`.
  public private(set) var isLocked = false

  /// Has a code sent to the address; also another one.
  public func requestCode(email: String) async {
    await attempt { [self] () async throws(SignInFailure) in
      let email = try await signIn.requestCode(email: email)
      let now = clock.now()
      memory.save(email: email, sentAt: now)
      resendPause = Pause(from: now, seconds: Self.usualPause)
      isLocked = false
      step = .code(email: email)
    }
    // Where the server does not say how long, the usual pause: at once it would refuse again.
    if case .tooMany(let seconds) = failure { resendPause = pause(seconds ?? Self.usualPause) }
  }

  /// - Parameter text: as typed or pasted; everything but digits is passed over.
  /// - Returns: the new session; `nil` if there is none: see `problem`.
  public func verify(_ text: String) async -> SignIn.Outcome? {
    guard case .code(let email) = step, !isBusy else { return nil }
    forgetFailure()
    guard !SignIn.digits(text).isEmpty else { return nil }
    var outcome: SignIn.Outcome?
    await attempt { [self] () async throws(SignInFailure) in
      outcome = try await signIn.verify(email: email, code: text)
      memory.forget()
    }
    return outcome
  }

  /// Back to the address.
  public func changeAddress() {
    memory.forget()
    step = .address
    isLocked = false
    forgetFailure()
    resendPause = nil
  }

  /// What was wrong is being mended.
  public func forgetFailure() { (failure, failurePause) = (nil, nil) }

  /// Seconds until another code may be asked for; 0 from then on.
  public func secondsUntilResend() -> Int64 { resendPause?.left(at: clock.now()) ?? 0 }

  private func pause(_ seconds: Int64) -> Pause { Pause(from: clock.now(), seconds: seconds) }

  private func attempt(_ request: () async throws(SignInFailure) -> Void) async {
    // A double click sends one code, and a second use of a code would be refused.
    guard !isBusy else { return }
    isBusy = true
    forgetFailure()
    defer { isBusy = false }
    do throws(SignInFailure) {
      try await request()
    } catch {
      switch error {
      case .tooMany(let seconds): failurePause = seconds.map(pause)
      case .locked(let seconds):
        failurePause = seconds.map(pause)
        resendPause = pause(seconds ?? Self.usualPause)
        isLocked = step != .address
      default: break
      }
      failure = error
    }
  }
}

/// The address that a code was sent to, from one run of the program to the next. Losing it costs a few keys.
private struct SignInMemory {
  /// Seconds; no service's code lasts longer than a day, and most last an hour.
  static let lifetime: Int64 = 3600

  let path: String
  /// A code of one server is nothing that another should see.
  let server: String

  func load() -> (email: String, sentAt: Instant)? {
    guard let file = g_key_file_new() else { return nil }
    defer { g_key_file_unref(file) }
    guard g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, nil) != 0,
      let email = g_key_file_get_string(file, "sign-in", "email", nil)
    else { return nil }
    defer { g_free(email) }
    guard let sender = g_key_file_get_string(file, "sign-in", "server", nil) else { return nil }
    defer { g_free(sender) }
    guard String(cString: sender) == server else { return nil }
    let sentAt = g_key_file_get_int64(file, "sign-in", "sent-at", nil)
    return (String(cString: email), Instant(milliseconds: Int64(sentAt)))
  }

  func save(email: String, sentAt: Instant) {
    guard let file = g_key_file_new() else { return }
    defer { g_key_file_unref(file) }
    g_key_file_set_string(file, "sign-in", "server", server)
    g_key_file_set_string(file, "sign-in", "email", email)
    g_key_file_set_int64(file, "sign-in", "sent-at", gint64(sentAt.milliseconds))
    guard let text = g_key_file_to_data(file, nil, nil) else { return }
    defer { g_free(text) }
    // Without it the dialog begins with the address again, which harms nobody.
    try? writePrivately(text, to: path)
  }

  func forget() { _ = Glibc.unlink(path) }
}
