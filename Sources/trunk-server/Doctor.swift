import ArgumentParser
import TrunkModel
import TrunkServer

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the folder, the database, the newest backup and the disk, even while the server runs.",
    discussion: """
      Prints one line for each check: ✓ if all is well, ! if there is something to do. It changes nothing. The exit \
      status is 1 if a line begins with !.
      """)

  @OptionGroup var data: DataOptions
  @OptionGroup var quota: QuotaOptions
  @OptionGroup var backups: BackupOptions

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    let findings = ServerDoctor(
      folder: data.folder, accountRows: quota.accountRows, accountBytes: quota.accountBytes,
      backupInterval: backups.backupEvery
    ).findings()
    let isSound = findings.allSatisfy(\.isSound)
    if json {
      let list = JSON.array(findings.map(object))
      ServerLog.printLine(JSON.object([.init("sound", .bool(isSound)), .init("checks", list)]).compactText)
    } else {
      for finding in findings { ServerLog.printLine((finding.isSound ? "✓ " : "! ") + finding.text) }
    }
    if !isSound { throw ExitCode.failure }
  }

  private func object(_ finding: ServerDoctor.Finding) -> JSON {
    .object([
      .init("check", .string(finding.check.rawValue)), .init("sound", .bool(finding.isSound)),
      .init("message", .string(finding.text)),
    ])
  }
}
