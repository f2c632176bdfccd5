import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

/// The preferences that the window has, and those of the terminal.
struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: tr("List and change the preferences."),
    discussion: tr("For days of rest, use “trunkctl rest”.") + "\n\n"
      + Examples([
        ("trunkctl settings list", tr("every setting with its value")),
        ("trunkctl settings get name", tr("the value of one, for a script")),
        ("trunkctl settings set appearance dark", tr("another value")),
        ("trunkctl settings set send off", tr("send only with “trunkctl sync”")),
      ]).text,
    subcommands: [ListSettingsCommand.self, GetSettingCommand.self, SetSettingCommand.self],
    defaultSubcommand: ListSettingsCommand.self)
}

struct ListSettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List every setting with its value."),
    discussion: Examples([
      ("trunkctl settings list", tr("name, value and purpose")),
      ("trunkctl settings list --json", tr("the same for another program")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @MainActor
  func run() async throws {
    let preferences = try await options.preferences().preferences
    if options.json {
      let records = Setting.allCases.map { preferences.record(of: $0) }
      return Output.write(.record(("settings", .array(records))))
    }
    let rows = Setting.allCases.map { setting in
      let value = preferences.value(of: setting)
      return [setting.rawValue, value.isEmpty ? "–" : value, setting.purpose]
    }
    Output.write(Table(rows: rows).lines(indent: 0))
  }
}

struct GetSettingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: tr("Print the value of a setting."),
    discussion: Examples([("trunkctl settings get backup-folder", tr("an empty line if there is none"))]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("The name of the setting.")))
  var setting: Setting

  @MainActor
  func run() async throws {
    let preferences = try await options.preferences().preferences
    if options.json { return Output.write(preferences.record(of: setting)) }
    Output.write(Output.safe(preferences.value(of: setting)))
  }
}

struct SetSettingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: tr("Change a setting."),
    discussion: tr("An open window takes over the change when you go back to it.") + "\n\n"
      + Examples([
        ("trunkctl settings set reminder-time evening", tr("one of its values")),
        ("trunkctl settings set backup-folder \"\"", tr("no second folder")),
      ]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("The name of the setting.")))
  var setting: Setting

  @Argument(help: ArgumentHelp(tr("The new value.")))
  var value: String

  @MainActor
  func run() async throws {
    let (preferences, model) = try await options.common.preferences()
    try await preferences.set(setting, value)
    if let hint = preferences.hint(after: setting) { Output.writeMessage(hint) }
    let lines = [setting.rawValue + ": " + Output.safe(preferences.value(of: setting))]
    guard let model, setting.isInAccount else {
      return Output.write(options.json ? [Output.text(preferences.record(of: setting))] : lines)
    }
    await options.finish(model, preferences.record(of: setting), lines)
  }
}

extension Preferences {
  fileprivate func record(of setting: Setting) -> JSON {
    .record(("name", .string(setting.rawValue)), ("value", .string(value(of: setting))))
  }
}
