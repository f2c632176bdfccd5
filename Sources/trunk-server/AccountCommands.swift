import ArgumentParser
import Glibc
import TrunkModel
import TrunkServer

struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List or delete accounts, even while the server runs.", subcommands: [List.self, Delete.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List accounts with what they use of their quota.",
      discussion: """
        Prints one line for each account: address, creation day, last sign-in day, number of events, their bytes, and \
        the shares of the quota that its events and its bytes use, separated by tabs. On a terminal, a heading names \
        the columns.
        """)

    @OptionGroup var data: DataOptions
    @OptionGroup var quota: QuotaOptions

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
      try reportingErrors {
        let accounts = try AccountList(folder: data.folder).all()
        if json {
          ServerLog.printLine(JSON.array(accounts.map(object)).compactText)
        } else {
          let heading = ["address", "created", "last sign-in", "events", "bytes", "of events", "of bytes"]
          if isatty(STDOUT_FILENO) == 1 { ServerLog.printLine(heading.joined(separator: "\t")) }
          for account in accounts { ServerLog.printLine(columns(account).joined(separator: "\t")) }
        }
      }
    }

    /// Scripts read the columns by their place, so new ones are added at the end.
    private func columns(_ account: AccountList.Account) -> [String] {
      [
        account.email, account.createdOn, account.lastSignInOn, "\(account.events)", "\(account.bytes)",
        percentage(account.events, of: quota.accountRows), percentage(account.bytes, of: quota.accountBytes),
      ]
    }

    private func object(_ account: AccountList.Account) -> JSON {
      .object([
        .init("address", .string(account.email)), .init("created", .string(account.createdOn)),
        .init("lastSignIn", .string(account.lastSignInOn)), .init("events", .number(account.events)),
        .init("maxEvents", .number(quota.accountRows)), .init("bytes", .number(account.bytes)),
        .init("maxBytes", .number(quota.accountBytes)),
      ])
    }

    /// With one digit after the point, rounded down, so that only a full account has 100 %.
    private func percentage(_ part: Int, of whole: Int) -> String {
      let permille = Int(Double(part) * 1000 / Double(whole))
      return "\(permille / 10).\(permille % 10)%"
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete an account with its sessions, codes and events.",
      discussion: "Existing backups still contain it.")

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
