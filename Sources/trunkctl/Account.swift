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
        .refused,
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
  fileprivate func leftBehind(_ synchroniser: Synchroniser) async -> Int? {
    guard !upload else { return 0 }
    do { return try await synchroniser.localEventsToUpload() } catch {
      // Signing in has worked all the same.
      Output.complain(Synchroniser.localGardenProblem(error))
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

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Sign out; the garden of the account leaves this computer and stays on the server."),
    discussion: Examples([
      ("trunkctl logout", tr("sends what waits, then signs out")),
      ("trunkctl logout --discard", tr("also if something could not be sent, and is lost then")),
      ("trunkctl logout --delete-backups", tr("deletes the backups of that garden, too")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Sign out even if entries are lost by it.")))
  var discard = false

  @Flag(help: ArgumentHelp(tr("Delete the backups of this garden as well.")))
  var deleteBackups = false

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    let unsent = try await synchroniser.unsentAfterTrying()
    guard unsent == 0 || discard else {
      throw Failure(
        .refused,
        trn(
          "{n} entry has not reached the server and would be lost.",
          "{n} entries have not reached the server and would be lost.", unsent) + " "
          + tr("Export the garden first, or use --discard."))
    }
    let folder = try options.folder
    let staying = await synchroniser.wordsOfWhatStays(losing: unsent)
    try await synchroniser.signOut(accepting: unsent, removesBackups: deleteBackups)
    if options.json {
      return Output.write(JSON.object([.init("signedOut", .bool(true)), .init("lost", .number(unsent))]))
    }
    Output.write(tr("Signed out."))
    if let staying { Output.write(Output.paragraphs(staying, indent: 0)) }
    if let copies = try GardenStore.folderOfCopies(in: folder) {
      Output.write(tr("Copies of this garden are still in “{folder}”.", ["folder": copies]))
    }
  }
}

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: tr("Send what waits, and fetch what is new."),
    discussion: Examples([
      ("trunkctl sync", tr("once, now")),
      ("trunkctl sync --full", tr("fetch everything again")),
      ("trunkctl sync --upload", tr("take this computer’s garden along, after signing in")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Fetch all entries of the server again.")))
  var full = false

  @Flag(help: ArgumentHelp(tr("Also bring the garden of this computer into the account.")))
  var upload = false

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    if upload { try await synchroniser.uploadLocalEvents() }
    try await SyncCommand.report(synchroniser, json: options.json, full: full)
  }

  /// Syncs and tells what came of it.
  /// - Parameter login: by which somebody has just signed in; `nil` where nobody has.
  @MainActor
  static func report(
    _ synchroniser: Synchroniser, json: Bool, full: Bool = false, login: Login? = nil
  ) async throws {
    let report = try await full ? synchroniser.downloadEverything() : synchroniser.syncNow()
    if let problem = report.problem { throw problem }
    let figures = try await synchroniser.figures()
    let refused = figures.quarantined
    let leftBehind = await login?.leftBehind(synchroniser)
    if json {
      var members: [JSON.Member] = [
        .init("mode", .string(report.mode.rawValue)), .init("pulled", .number(report.pulled)),
        .init("pushed", .number(report.pushed)), .init("pending", .number(figures.pending)),
        .init("refused", .number(refused)),
      ]
      if let leftBehind { members.append(.init("leftBehind", .number(leftBehind))) }
      return Output.write(JSON.object(members))
    }
    if login != nil { Output.write(tr("Signed in.")) }
    Output.write(
      trn("{n} entry came, {sent} sent.", "{n} entries came, {sent} sent.", report.pulled, ["sent": "\(report.pushed)"])
    )
    if refused > 0 {
      Output.write(
        trn(
          "{n} entry was refused: see “trunkctl outbox”.", "{n} entries were refused: see “trunkctl outbox”.", refused))
    }
    guard let leftBehind, leftBehind > 0 else { return }
    let words = trn(
      "{n} entry was written on this computer before you signed in. It stays here, apart from the account’s garden, and is shown again after signing out. “trunkctl sync --upload” brings it along.",
      "{n} entries were written on this computer before you signed in. They stay here, apart from the account’s garden, and are shown again after signing out. “trunkctl sync --upload” brings them along.",
      leftBehind)
    Output.write(Output.paragraphs(words, indent: 0))
  }
}

struct Outbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("List the entries that the server does not have yet."),
    discussion: Examples([
      ("trunkctl outbox", tr("what waits, and what was refused")),
      ("trunkctl outbox --retry", tr("sends the refused ones once more")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Send refused entries once more.")))
  var retry = false

  @MainActor
  func run() async throws {
    let synchroniser = try await options.signedIn()
    if retry { try await synchroniser.retryRefused() }
    let outbox = try await synchroniser.outbox()
    if options.json {
      let entries = outbox.map { waiting in
        var members: [JSON.Member] = [
          .init("type", .string(waiting.event.type)), .init("bytes", .number(waiting.item.size)),
          .init("attempts", .number(waiting.item.attempts)), .init("refused", .bool(waiting.item.isQuarantined)),
        ]
        if let id = waiting.event.clientID { members.append(.init("clientId", .string(id))) }
        if let answer = waiting.item.lastAnswer { members.append(.init("answer", .string(answer))) }
        return JSON.object(members)
      }
      return Output.write(JSON.object([.init("outbox", .array(entries))]))
    }
    if outbox.isEmpty { return Output.write(tr("Nothing waits: the server has everything.")) }
    Output.write(
      Table(
        rows: outbox.map { waiting in
          [
            waiting.event.type, waiting.event.instant?.description ?? "",
            trn("tried {n} time", "tried {n} times", waiting.item.attempts),
            waiting.item.isQuarantined ? tr("refused") : tr("waits"), waiting.answer ?? "",
          ]
        }
      ).lines(indent: 0))
  }
}

extension CommonOptions {
  /// What syncs the garden of the account.
  /// - Throws: `Failure` if nobody is signed in; no garden is made then.
  @MainActor
  fileprivate func signedIn() async throws -> Synchroniser {
    guard try CurrentAccount().load() != nil else {
      throw Failure(.notFound, tr("Nobody is signed in.") + " " + tr("“trunkctl login you@example.org” does it."))
    }
    return try await synchroniser(Settings())
  }

  /// What syncs the garden that is open here.
  @MainActor
  fileprivate func synchroniser(_ settings: Settings) async throws -> Synchroniser {
    if let problem = settings.problem { Output.complain(plainWords(problem)) }
    let current = try CurrentAccount().load()
    // The account's garden and no other belongs to its server.
    guard try folder == current?.folder ?? Folders.garden() else {
      throw Failure(.refused, tr("Only the garden of the account can be synced, not that of another folder."))
    }
    return Synchroniser(try await open(), current: current, settings: settings, needsVault: true)
  }
}
