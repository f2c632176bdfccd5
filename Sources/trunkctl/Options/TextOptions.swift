import ArgumentParser
import EventStore
import Glibc
import Localization
import TrunkKit

/// The options for the text of an entry.
struct TextOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      tr("The text; - reads standard input, which is also the default."),
      valueName: "text"))
  var message: String?

  /// Whether the text is typed at a terminal, so that a question can be asked first.
  var isInteractive: Bool { (message == nil || message == "-") && isatty(STDIN_FILENO) == 1 }

  /// Returns the given text, or reads it.
  /// - Parameter question: shown before the user types the text at a terminal.
  func read(asking question: String?) throws -> String {
    if let message, message != "-" {
      // A variable that isn't set, or a command that failed, must not write an entry.
      guard !message.trimmed.isEmpty else { throw TextOptions.missing }
      return message
    }
    if isInteractive {
      if let question { Output.writeMessage(Output.safe(question)) }
      Output.writeMessage(tr("Write your text, then press Ctrl+D on an empty line:"))
    }
    let text = String(try Files.readText("-").trimmed)
    guard !text.isEmpty else { throw TextOptions.missing }
    return text
  }

  private static var missing: Failure {
    Failure(.notAllowed, tr("Write a few words first.") + " " + tr("Give the text with -m or on standard input."))
  }

  /// Runs `commit`. If it fails, saves a text that was typed at the terminal as a draft, which the window offers to
  /// continue.
  /// - Parameter draft: the text.
  @MainActor
  func keep(_ draft: DraftContent, in model: GardenModel, by commit: () async throws -> Void) async throws {
    do { try await commit() } catch {
      // A garden that was signed out must stay empty.
      if isInteractive, error as? StoreError != .cleared {
        do {
          try await model.add(draft)
          Output.writeMessage(tr("Your draft is saved."))
        } catch { Output.writeMessage(userMessage(for: error)) }
      }
      throw error
    }
  }
}
