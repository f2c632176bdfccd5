import ArgumentParser
import Garden
import Gardening
import Localization

struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: tr("List the entries that the server does not have yet."),
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
    if retry { try await synchroniser.retry() }
    let outbox = try await synchroniser.outbox()
    if options.json {
      let entries = outbox.map { waiting in
        var members: [JSON.Member] = [
          .init("type", .string(waiting.event.type)), .init("bytes", .number(waiting.item.size)),
          .init("attempts", .number(waiting.item.attempts)), .init("refused", .bool(waiting.item.state != .waiting)),
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
            waiting.item.state != .waiting ? tr("refused") : tr("waits"), waiting.answer ?? "",
          ]
        }
      ).lines(indent: 0))
  }
}
