import CGtk
import Foundation
import GtkKit
import SyncEngine
import Synchronization
import TrunkAccount
import TrunkKit
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class SignInDialogTests: WidgetTestCase {
  func testItNamesTheServer() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      for (server, name) in [
        ("https://abcdefghijklmnopqrst.supabase.co", "abcdefghijklmnopqrst.supabase.co"),
        ("https://example.org:8443/trunk", "example.org:8443/trunk"), ("http://127.0.0.1:8787", "127.0.0.1:8787"),
      ] {
        SignInDialog(house.context, SignInFlow(Mailbox(), server: server)).present()
        guard let dialog = window("Sign In") else { return }
        XCTAssertTrue(dialog.shownTexts.contains("Signing in to " + name), "\(dialog.shownTexts)")
        gtk_window_destroy(dialog.cast())
      }
      house.close()
    }
  }

  func testACodeIsSentWhenItIsComplete() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let mailbox = Mailbox()
      guard let (dialog, actionButton, code) = askForCode(house, mailbox) else { return }
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      type("type", "12345", into: "Sign In")
      turn(until: "five digits") { code.text == "12345" }
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      // Enter does nothing; the sixth digit submits the code.
      type("key", "Return", "6", into: "Sign In")
      turn(until: "the answer") { dialog.shownTexts.contains { $0.hasPrefix("This code is wrong") } }
      XCTAssertEqual(mailbox.codes, ["123456"])
      XCTAssertEqual(code.text, "123456")
      // Submitting the same code again would use up another attempt.
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      type("key", "Return", into: "Sign In")
      // A longer code that begins with the same digits needs the button or Enter.
      type("type", "1234567890", into: "Sign In")
      turn(until: "ten digits") { code.text == "1234567890" }
      XCTAssertEqual(mailbox.codes, ["123456"])
      type("key", "Return", into: "Sign In")
      turn(until: "the longer code") { mailbox.codes == ["123456", "1234567890"] }
      house.close()
    }
  }

  func testAnInvalidAddressShowsAnError() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      SignInDialog(house.context, SignInFlow(Mailbox())).present()
      guard let dialog = window("Sign In"), let actionButton = dialog.buttons("Send Code").first else {
        return XCTFail("no dialog")
      }
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      type("type", "not an address", into: "Sign In")
      type("key", "Return", into: "Sign In")
      let words = "This is not an email address. Enter one like ada@example.org."
      turn(until: "the words") { dialog.shownTexts.contains(words) }
      turn(until: "room for them") { !dialog.scrolls }
      // The message disappears when the address is corrected.
      type("type", "x", into: "Sign In")
      turn(until: "no words") { !dialog.shownTexts.contains(words) }
      house.close()
    }
  }

  func testALockedAddressWaits() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let mailbox = Mailbox(rejecting: .locked(seconds: 900))
      guard let (dialog, actionButton, code) = askForCode(house, mailbox) else { return }
      type("type", "123456", into: "Sign In")
      turn(until: "the words") {
        dialog.shownTexts.contains("You can request a new code for ada@example.org in 15 minutes.")
      }
      XCTAssertTrue(dialog.shownTexts.contains("Too many wrong codes"))
      for widget in dialog.buttons("Send again in 15 min") + [actionButton] {
        XCTAssertEqual(gtk_widget_is_sensitive(widget), 0)
      }
      XCTAssertEqual(dialog.buttons("Send again in 15 min").count, 1)
      XCTAssertEqual(gtk_widget_get_mapped(code), 0)
      turn(until: "room for all") { !dialog.scrolls }
      // Enter does nothing; another address can be entered.
      type("key", "Return", into: "Sign In")
      guard let back = dialog.buttons("Use Another Address").first else { return XCTFail("no way back") }
      gtk_widget_activate(back)
      turn(until: "the address") { !dialog.buttons("Send Code").isEmpty }
      XCTAssertFalse(dialog.shownTexts.contains { $0.hasPrefix("Too many") })
      house.close()
    }
  }

  func testALimitOnRequestsLeavesTheCode() {
    MainActor.assumeIsolated {
      guard let house = Greenhouse() else { return }
      let mailbox = Mailbox(rejecting: .tooMany(seconds: 900))
      guard let (dialog, _, code) = askForCode(house, mailbox) else { return }
      type("type", "123456", into: "Sign In")
      turn(until: "the words") { dialog.shownTexts.contains("Too many attempts. Try again in 15 minutes.") }
      XCTAssertFalse(dialog.shownTexts.contains("Too many wrong codes"))
      XCTAssertEqual(gtk_widget_get_mapped(code), 1)
      // The same code again.
      type("key", "Return", into: "Sign In")
      turn(until: "another try") { mailbox.codes == ["123456", "123456"] }
      house.close()
    }
  }
}

/// Opens the dialog and types an address, so that it wants the code.
@MainActor private func askForCode(_ house: Greenhouse, _ mailbox: Mailbox) -> (
  dialog: Widget, actionButton: Widget, code: Widget
)? {
  SignInDialog(house.context, SignInFlow(mailbox)).present()
  guard let dialog = window("Sign In") else { return nil }
  type("type", "ada@example.org", into: "Sign In")
  type("key", "Return", into: "Sign In")
  turn(until: "the next step") { !dialog.buttons("Sign In").isEmpty }
  guard let actionButton = dialog.buttons("Sign In").first, let code = dialog.codeEntry else {
    XCTFail("no code among \(dialog.shownTexts)")
    return nil
  }
  return (dialog, actionButton, code)
}

/// Sends no codes and accepts none.
final class Mailbox: AuthService {
  private let typed = Mutex<[String]>([])
  private let rejection: SignInFailure

  init(rejecting rejection: SignInFailure = .wrongCode) { self.rejection = rejection }

  /// The codes that were tried.
  var codes: [String] { typed.withLock { $0 } }

  func requestCode(email: String) async throws(SignInFailure) {}

  func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    typed.withLock { $0.append(code) }
    throw rejection
  }

  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant { throw .cancelled }
  func signOut(token: AccessToken) async throws(ServiceFailure) {}
}

extension SignInFlow {
  /// A flow without any saved state.
  convenience init(_ service: Mailbox, server: String = "https://garden.example.org") {
    self.init(
      SignIn(server: server, service: service, vault: MemoryVault(), clock: SystemSyncClock()),
      stateFolder: FileManager.default.temporaryDirectory.appending(path: "sign-in-" + UUID().uuidString).path)
  }
}

extension Widget {
  /// Whether not all of the content can be seen.
  @MainActor fileprivate var scrolls: Bool {
    descendants.filter { $0.typeName == "GtkScrolledWindow" && gtk_widget_get_mapped($0) != 0 }.contains {
      let place = gtk_scrolled_window_get_vadjustment($0.cast())
      return gtk_adjustment_get_upper(place) > gtk_adjustment_get_page_size(place)
    }
  }

  @MainActor fileprivate var codeEntry: Widget? {
    descendants.first { $0.typeName == "GtkEntry" && gtk_widget_has_css_class($0, "code") != 0 }
  }
}
