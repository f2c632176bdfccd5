import ArgumentParser
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The options of every command that writes to the garden.
///
/// With an account, what it writes is sent at once. Otherwise `trunkctl undo` can undo it for a minute: an entry that
/// is on its way can't be undone.
struct WriteOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @Flag(help: ArgumentHelp(tr("Don’t send it now. For a minute, “trunkctl undo” can undo it.")))
  var offline = false

  /// How long a command waits for the server, in seconds.
  private static let sendingSeconds: Int64 = 3

  var json: Bool { common.json }

  func snapshot() async throws -> GardenSnapshot { try await common.snapshot() }

  /// Opens the garden, and creates it if there never was one.
  @MainActor
  func open() async throws -> GardenModel { try prepared(try await common.open()) }

  /// Opens the garden without creating one.
  @MainActor
  func openExisting() async throws -> GardenModel { try prepared(try await common.openExisting()) }

  @MainActor
  private func prepared(_ model: GardenModel) throws -> GardenModel {
    model.holdsEdits = true
    model.undoWindow = GardenModel.terminalUndoSeconds
    model.offersUndo = try account() == nil || !sends
    return model
  }

  @MainActor
  private var sends: Bool { !offline && Settings().sendsFromTerminal }

  /// The account to which the garden belongs.
  private func account() throws -> SignedInAccount? {
    guard let account = try AccountFile().load(), try common.folder == account.folder else { return nil }
    return account
  }

  /// Prints the result of a command that has written something, and sends it. A person sees the result first, because
  /// the server may take a while; JSON says whether it was sent.
  @MainActor
  func finish(_ model: GardenModel, _ answer: JSON, _ lines: [String]) async {
    if !json { Output.write(lines) }
    let isSent = await send(model)
    if json { Output.write(answer.adding(("sent", isSent.map(JSON.bool)))) }
  }

  /// Sends what was written. The entry is on the disk, so a failure is only a note.
  /// - Returns: whether it was sent; `nil` without an account.
  @MainActor
  private func send(_ model: GardenModel) async -> Bool? {
    do {
      guard let current = try account() else { return nil }
      guard sends else { return false }
      try await model.endTerminalUndoWindows()
      let accountModel = AccountModel(model, current: current, settings: Settings(), needsVault: true)
      try await accountModel.sendNow(within: WriteOptions.sendingSeconds)
      return true
    } catch {
      Output.writeMessage(tr("Not sent yet: {problem}", ["problem": userMessage(for: error)]))
      return false
    }
  }
}
