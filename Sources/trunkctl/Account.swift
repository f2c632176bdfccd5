import ArgumentParser
import Garden
import GardenStore
import Gardening
import Glibc
import Localization
import Sync

struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Sign in with a code that comes by e-mail."),
    discussion: tr(
      "The server is the one of the preferences, or of the environment: SUPABASE_URL, SUPABASE_ANON_KEY and, for trunk-server, TRUNK_BACKEND=trunk. The session goes into the desktop’s keyring."
    ) + "\n\n"
      + Examples([
        ("trunkctl login ada@example.org", tr("asks for the code that was sent there")),
        ("trunkctl login ada@example.org --upload", tr("takes this computer’s garden along")),
        ("trunkctl login ada@example.org --moved", tr("goes on where the server has a new address")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Your e-mail address.")))
  var email: String

  @Flag(help: ArgumentHelp(tr("Also bring the garden of this computer into the account.")))
  var upload = false

  @Flag(help: ArgumentHelp(tr("The server is the one of the garden that is here, at a new address.")))
  var moved = false

  /// How often a code is asked for. Servers lock an address after a few wrong ones.
  private static let tries = 4

  @MainActor
  func run() async throws {
    let settings = Settings()
    let synchroniser = try await options.synchroniser(settings)
    guard let flow = try await synchroniser.signIn() else {
      throw Failure(
        .network,
        tr(
          "No server is named. Set one in the preferences, or in the environment: SUPABASE_URL, SUPABASE_ANON_KEY and, for trunk-server, TRUNK_BACKEND=trunk."
        ))
    }
    await flow.requestCode(email: email)
    if let problem = flow.problem { throw Failure(.refused, problem) }
    Output.complain(tr("A code is on its way to {email}. Type it:", ["email": Output.safe(email)]))
    let outcome = try await verify(flow)
    do {
      try await synchroniser.finish(outcome, serverHasMoved: moved)
    } catch let error as StoreError {
      guard case .otherServer = error else { throw error }
      throw Failure(
        .refused,
        error.message + " " + tr("“trunkctl login {email} --moved” does that.", ["email": Output.safe(email)]))
    }
    let signedIn = try await options.synchroniser(settings)
    if upload { try await signedIn.uploadLocalEvents() }
    try await SyncCommand.report(signedIn, json: options.json, login: self)
  }

  /// How many entries of this computer's garden are not in the account; `nil` if it can't be read, which is said.
  @MainActor
  func leftBehind(_ synchroniser: Synchroniser) async -> Int? {
    guard !upload else { return 0 }
    do { return try await synchroniser.localEventsToUpload() } catch {
      // Signing in has worked all the same.
      Output.complain(Synchroniser.localGardenProblem(error))
      return nil
    }
  }

  /// How many entries and drafts copies of this account's garden have and the server lacks; `nil` if they can't be read,
  /// which is said.
  @MainActor
  func restorable(_ synchroniser: Synchroniser) async -> Int? {
    do {
      let offer = try await synchroniser.restoreOffer(includesAnswered: true)
      return offer.map { $0.events.count + $0.drafts.count } ?? 0
    } catch {
      // Signing in has worked all the same.
      Output.complain(tr("A copy of this garden can’t be read: {words}", ["words": plainWords(error)]))
      return nil
    }
  }

  /// Reads a code until it is right: a slip of the fingers must not cost another mail.
  @MainActor
  private func verify(_ flow: SignInFlow) async throws -> SignIn.Outcome {
    var tries = 0
    while true {
      guard let line = readLine() else { throw Failure(.refused, tr("There was no code.")) }
      if let outcome = await flow.verify(line) { return outcome }
      tries += 1
      let problem = flow.problem ?? tr("A code is made of digits.")
      guard tries < Login.tries, flow.failure?.leavesTheCode ?? true else { throw Failure(.refused, problem) }
      Output.complain(problem + " " + tr("Type it again:"))
    }
  }
}
