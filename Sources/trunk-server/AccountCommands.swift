import ArgumentParser
import Glibc
import TrunkServer

struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List or delete accounts, even while the server runs.", subcommands: [List.self, Delete.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "List accounts, one per line, with tabs between address, creation day, last sign-in day and number of events.")

    @OptionGroup var data: DataOptions

    func run() throws {
      try reportingErrors {
        for account in try AccountList(folder: data.folder).all() {
          ServerLog.printLine("\(account.email)\t\(account.createdOn)\t\(account.lastSignInOn)\t\(account.events)")
        }
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete an account with its sessions, codes and events.",
      discussion: "Existing backups keep it.")

    @OptionGroup var data: DataOptions

    @Argument(help: "The address of the account.")
    var address: String

    @Flag(help: "Delete without asking.")
    var yes = false

    func run() throws {
      try reportingErrors {
        let list = try AccountList(folder: data.folder)
        guard let account = try list.account(address) else { throw Rejection.unknown }
        let events = account.events == 1 ? "1 event" : "\(account.events) events"
        guard yes || isAgreed("Delete \(ServerLog.visible(account.email)) and its \(events) permanently? [y/N] ")
        else {
          throw Rejection.notAgreed
        }
        try list.delete(account)
      }
    }

    private func isAgreed(_ question: String) -> Bool {
      print(question, terminator: "")
      // Show the question before waiting for the response.
      fflush(nil)
      return ["y", "yes"].contains(readLine()?.lowercased())
    }
  }

  enum Rejection: Error, CustomStringConvertible {
    case unknown
    case notAgreed

    var description: String {
      switch self {
      case .unknown: "there is no account with this address"
      case .notAgreed: "nothing was deleted"
      }
    }
  }
}
