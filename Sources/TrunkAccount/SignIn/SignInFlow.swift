import Glibc
import Observation
import SyncEngine
import TrunkKit
import TrunkModel

/// Sign-in with an email address and the code sent to it. The step survives closing the dialog and the program, since
/// the mail may take a while.
@MainActor
@Observable
public final class SignInFlow {
  public enum Step: Sendable, Equatable {
    case address
    /// A code was sent to this address.
    case code(email: String)
  }

  public private(set) var step = Step.address
  /// Whether a request is running.
  public private(set) var isBusy = false
  /// Why the last request failed.
  public private(set) var failure: SignInFailure?
  /// The pause until another code can be requested.
  public private(set) var resendPause: Pause?

  @ObservationIgnored private let signIn: SignIn
  @ObservationIgnored private let clock: WallClock
  @ObservationIgnored private let memory: SignInMemory
  /// The pause that the server asks for after `failure`; `nil` if it names none.
  @ObservationIgnored private var failurePause: Pause?

  /// A time without requests that the server asks for.
  public struct Pause: Sendable, Equatable {
    let end: Instant
    /// The whole length of the pause.
    let seconds: Int64

    init(from start: Instant, seconds: Int64) {
      end = start.adding(seconds: seconds)
      self.seconds = seconds
    }

    /// Returns the seconds until the end, or 0 after it.
    func left(at now: Instant) -> Int64 {
      let left = end.milliseconds - now.milliseconds
      // If the clock is set back, the wait must not become longer than the pause.
      return min(max(0, (left + 999) / 1000), seconds)
    }
  }

  /// The pause before a second code, in seconds, if the server names none.
  private static let usualPause: Int64 = 60
  /// The usual number of digits of a code. The dialog submits the code after this many; some servers use up to ten.
  public static let usualDigits = 6

  public init(_ signIn: SignIn, clock: WallClock = .system, stateFolder: String = Folders.state) {
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

  /// The server's address without `https://`.
  public var serverName: String { String(signIn.server.drop { $0 != "/" }.drop { $0 == "/" }) }

  /// The message about the last failed request, with the time left until the next one is allowed.
  public var problem: String? {
    guard let failurePause else { return failure?.message }
    let left = failurePause.left(at: clock.now())
    guard left > 0 else { return nil }
    if case .locked = failure { return SignInFailure.locked(seconds: left).message }
    return SignInFailure.tooMany(seconds: left).message
  }

  /// Whether the server accepts no more codes for the address: a new one can be requested in `secondsUntilResend`.
  public private(set) var isLocked = false

  /// Requests a code, or another one, for the address.
  public func requestCode(email: String) async {
    await attempt { [self] () async throws(SignInFailure) in
      let email = try await signIn.requestCode(email: email)
      let now = clock.now()
      memory.save(email: email, sentAt: now)
      resendPause = Pause(from: now, seconds: Self.usualPause)
      isLocked = false
      step = .code(email: email)
    }
    // If the server names no pause, use the usual one: an immediate request would be rejected again.
    if case .tooMany(let seconds) = failure { resendPause = pause(seconds ?? Self.usualPause) }
  }

  /// Signs in with a code.
  /// - Parameter text: as typed or pasted; everything but digits is ignored.
  /// - Returns: the new session; `nil` if it failed, see `problem`.
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

  /// Returns to the address step.
  public func changeAddress() {
    memory.forget()
    step = .address
    isLocked = false
    forgetFailure()
    resendPause = nil
  }

  /// Clears the last failure, because the user is correcting the input.
  public func forgetFailure() { (failure, failurePause) = (nil, nil) }

  /// Returns the seconds until another code can be requested, or 0.
  public func secondsUntilResend() -> Int64 { resendPause?.left(at: clock.now()) ?? 0 }

  private func pause(_ seconds: Int64) -> Pause { Pause(from: clock.now(), seconds: seconds) }

  private func attempt(_ request: () async throws(SignInFailure) -> Void) async {
    // A double click must not send two codes, and a code can be used only once.
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

/// Stores the address that a code was sent to, across runs of the program. If it is lost, the user types it again.
private struct SignInMemory {
  /// How long the address is kept, in seconds. Most services' codes last an hour, none longer than a day.
  static let lifetime: Int64 = 3600

  let path: String
  /// The server that sent the code: the code must not be sent to another one.
  let server: String

  func load() -> (email: String, sentAt: Instant)? {
    // If the file can't be read, the user requests another code.
    guard let file = try? KeyFile(path: path), file["sign-in", "server"] == server,
      let email = file["sign-in", "email"]
    else { return nil }
    return (email, Instant(milliseconds: file["sign-in", "sent-at"].flatMap { Int64($0) } ?? 0))
  }

  func save(email: String, sentAt: Instant) {
    let file = KeyFile()
    file["sign-in", "server"] = server
    file["sign-in", "email"] = email
    file["sign-in", "sent-at"] = "\(sentAt.milliseconds)"
    // If this fails, the dialog starts with the address again, which is harmless.
    try? file.save(to: path)
  }

  func forget() { _ = Glibc.unlink(path) }
}
