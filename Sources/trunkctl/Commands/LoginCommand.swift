import ArgumentParser
import EventStore
import Glibc
import Localization
import SyncEngine
import TrunkAccount
import TrunkKit
import TrunkModel

struct LoginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login",
    abstract: tr("Sign in with a code sent by email."),
    discussion: tr(
      "The server is set in the preferences or in the environment: SUPABASE_URL, SUPABASE_ANON_KEY and, for trunk-server, TRUNK_BACKEND=trunk. The session is stored in the desktop’s keyring."
    ) + "\n\n"
      + Examples([
        ("trunkctl login ada@example.org", tr("send a code to this address and ask for it")),
        ("trunkctl login ada@example.org --upload", tr("also upload this computer’s garden")),
        ("trunkctl login ada@example.org --moved", tr("continue at the server’s new address")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("Your email address.")))
  var email: String

  @Flag(help: ArgumentHelp(tr("Also add this computer’s garden to the account.")))
  var upload = false

  @Flag(help: ArgumentHelp(tr("Confirm that this is the same server at a new address.")))
  var moved = false

  /// The maximum number of attempts to enter a code. Servers lock an address after a few wrong codes.
  private static let tries = 4

  @MainActor
  func run() async throws {
    let settings = Settings()
    let accountModel = try await options.accountModel(settings)
    guard let flow = try await accountModel.signIn.begin() else {
      throw Failure(
        .network,
        tr(
          "No server is set. Set one in the preferences or in the environment: SUPABASE_URL, SUPABASE_ANON_KEY and, for trunk-server, TRUNK_BACKEND=trunk."
        ))
    }
    await flow.requestCode(email: email)
    if let problem = flow.problem { throw Failure(LoginCommand.exit(after: flow.failure), problem) }
    Output.writeMessage(tr("A code was sent to {email}. Enter it:", ["email": Output.safe(email)]))
    let outcome = try await verify(flow)
    do {
      try await accountModel.signIn.finish(outcome, serverHasMoved: moved)
    } catch let error as StoreError {
      guard case .otherServer = error else { throw error }
      throw Failure(
        .notAllowed,
        error.message + " " + tr("To confirm it, run “trunkctl login {email} --moved”.", ["email": Output.safe(email)]))
    }
    let signedIn = try await options.accountModel(settings)
    let uploaded = upload ? try await signedIn.localUpload.run() : nil
    try await SyncCommand.report(signedIn, json: options.json, login: self, uploaded)
  }

  /// Returns what this computer's garden has and the account lacks; `nil` after printing why it can't be read.
  @MainActor
  func leftBehind(_ accountModel: AccountModel) async -> LocalContents? {
    guard !upload else { return LocalContents() }
    do { return try await accountModel.localUpload.contents() } catch {
      // Signing in has succeeded anyway.
      Output.writeMessage(LocalUpload.problem(error))
      return nil
    }
  }

  /// Returns an offer to restore what copies of this account's garden have and the garden lacks. Prints the names of
  /// unreadable copies; `nil` if none can be read.
  @MainActor
  func restorable(_ accountModel: AccountModel) async -> RestoreOffer? {
    do {
      let offer = try await accountModel.copyRestore.offer()
      offer?.notices.forEach(Output.writeMessage)
      return offer
    } catch {
      // Signing in has succeeded anyway.
      Output.writeMessage(tr("The copies of this garden can’t be read: {words}", ["words": userMessage(for: error)]))
      return nil
    }
  }

  private static func exit(after failure: SignInFailure?) -> Exit {
    switch failure {
    case .service, .answerLost: .network
    default: .notAllowed
    }
  }

  /// Reads codes until one is correct, so that a typing error doesn't cost another email.
  @MainActor
  private func verify(_ flow: SignInFlow) async throws -> SignIn.Outcome {
    var tries = 0
    while true {
      guard let line = readLine() else { throw Failure(.notAllowed, tr("No code was entered.")) }
      if let outcome = await flow.verify(line) { return outcome }
      tries += 1
      let problem = flow.problem ?? tr("A code consists of digits.")
      guard tries < LoginCommand.tries, flow.failure?.leavesTheCode ?? true else {
        throw Failure(LoginCommand.exit(after: flow.failure), problem)
      }
      Output.writeMessage(problem + " " + tr("Enter the code again:"))
    }
  }
}
