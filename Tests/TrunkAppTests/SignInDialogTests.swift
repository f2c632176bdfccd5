import CGtk
import Foundation
import GtkKit
import SyncEngine
import Synchronization
import TrunkAccount
import WidgetTestSupport
import XCTest

@testable import TrunkApp

final class SignInDialogTests: WidgetTestCase {
  func testItNamesTheServer() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      for (server, name) in [
        ("https://abcdefghijklmnopqrst.supabase.co", "abcdefghijklmnopqrst.supabase.co"),
        ("https://example.org:8443/trunk", "example.org:8443/trunk"), ("http://127.0.0.1:8787", "127.0.0.1:8787"),
      ] {
        SignInDialog(fixture.context, SignInFlow(RejectingAuth(), in: fixture.folder, server: server)).present()
        guard let dialog = window("Sign In") else { return }
        XCTAssertTrue(dialog.shownTexts.contains("Signing in to " + name), "\(dialog.shownTexts)")
        gtk_window_destroy(dialog.cast())
      }
      fixture.close()
    }
  }

  func testACodeIsSentWhenItIsComplete() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let auth = RejectingAuth()
      guard let (dialog, actionButton, code) = askForCode(fixture, auth) else { return }
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      type("type", "12345", into: "Sign In")
      waitFor("five digits") { code.text == "12345" }
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      // Enter does nothing; the sixth digit submits the code.
      type("key", "Return", "6", into: "Sign In")
      waitFor("the answer") { dialog.shownTexts.contains { $0.hasPrefix("This code is wrong") } }
      XCTAssertEqual(auth.codes, ["123456"])
      XCTAssertEqual(code.text, "123456")
      // Submitting the same code again would use up another attempt.
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      type("key", "Return", into: "Sign In")
      // A longer code that begins with the same digits needs the button or Enter.
      type("type", "1234567890", into: "Sign In")
      waitFor("ten digits") { code.text == "1234567890" }
      XCTAssertEqual(auth.codes, ["123456"])
      type("key", "Return", into: "Sign In")
      waitFor("the longer code") { auth.codes == ["123456", "1234567890"] }
      fixture.close()
    }
  }

  func testAnInvalidAddressShowsAnError() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      SignInDialog(fixture.context, SignInFlow(RejectingAuth(), in: fixture.folder)).present()
      guard let dialog = window("Sign In"), let actionButton = dialog.buttons("Send Code").first else {
        return XCTFail("no dialog")
      }
      XCTAssertEqual(gtk_widget_is_sensitive(actionButton), 0)
      type("type", "not an address", into: "Sign In")
      type("key", "Return", into: "Sign In")
      let message = "This is not an email address. Enter one like ada@example.org."
      waitFor("the message") { dialog.shownTexts.contains(message) }
      waitFor("room for them") { !dialog.scrolls }
      // The message disappears when the address is corrected.
      type("type", "x", into: "Sign In")
      waitFor("no message") { !dialog.shownTexts.contains(message) }
      fixture.close()
    }
  }

  func testALockedAddressWaits() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let auth = RejectingAuth(rejecting: .locked(seconds: 900))
      guard let (dialog, actionButton, code) = askForCode(fixture, auth) else { return }
      type("type", "123456", into: "Sign In")
      waitFor("the message") {
        dialog.shownTexts.contains("You can request a new code for ada@example.org in 15 minutes.")
      }
      XCTAssertTrue(dialog.shownTexts.contains("Too many wrong codes"))
      for widget in dialog.buttons("Send again in 15 min") + [actionButton] {
        XCTAssertEqual(gtk_widget_is_sensitive(widget), 0)
      }
      XCTAssertEqual(dialog.buttons("Send again in 15 min").count, 1)
      XCTAssertEqual(gtk_widget_get_mapped(code), 0)
      waitFor("room for all") { !dialog.scrolls }
      // Enter does nothing; another address can be entered.
      type("key", "Return", into: "Sign In")
      guard let back = dialog.buttons("Use Another Address").first else { return XCTFail("no way back") }
      gtk_widget_activate(back)
      waitFor("the address") { !dialog.buttons("Send Code").isEmpty }
      XCTAssertFalse(dialog.shownTexts.contains { $0.hasPrefix("Too many") })
      fixture.close()
    }
  }

  func testALimitOnRequestsLeavesTheCode() {
    MainActor.assumeIsolated {
      guard let fixture = DialogFixture() else { return }
      let auth = RejectingAuth(rejecting: .tooMany(seconds: 900))
      guard let (dialog, _, code) = askForCode(fixture, auth) else { return }
      type("type", "123456", into: "Sign In")
      waitFor("the message") { dialog.shownTexts.contains("Too many attempts. Try again in 15 minutes.") }
      XCTAssertFalse(dialog.shownTexts.contains("Too many wrong codes"))
      XCTAssertEqual(gtk_widget_get_mapped(code), 1)
      // The same code again.
      type("key", "Return", into: "Sign In")
      waitFor("another try") { auth.codes == ["123456", "123456"] }
      fixture.close()
    }
  }
}

/// Opens the dialog and types an address. Returns the dialog when it asks for the code, with its button and code field.
@MainActor private func askForCode(_ fixture: DialogFixture, _ auth: RejectingAuth) -> (
  dialog: Widget, actionButton: Widget, code: Widget
)? {
  SignInDialog(fixture.context, SignInFlow(auth, in: fixture.folder)).present()
  guard let dialog = window("Sign In") else { return nil }
  type("type", "ada@example.org", into: "Sign In")
  type("key", "Return", into: "Sign In")
  waitFor("the next step") { !dialog.buttons("Sign In").isEmpty }
  guard let actionButton = dialog.buttons("Sign In").first, let code = dialog.codeEntry else {
    XCTFail("no code among \(dialog.shownTexts)")
    return nil
  }
  return (dialog, actionButton, code)
}

/// Sends no codes and accepts none.
final class RejectingAuth: AuthService {
  private let typed = Mutex<[String]>([])
  private let rejection: SignInFailure

  init(rejecting rejection: SignInFailure = .wrongCode) { self.rejection = rejection }

  /// The codes that the user has tried.
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
  /// A flow without any saved state, which stores its state in a folder.
  convenience init(_ service: RejectingAuth, in folder: URL, server: String = "https://garden.example.org") {
    self.init(
      SignIn(server: server, service: service, vault: MemoryVault(), clock: SystemSyncClock()),
      stateFolder: folder.appending(path: "sign-in-" + UUID().uuidString).path)
  }
}

extension Widget {
  /// Whether not all of the content can be seen.
  @MainActor var scrolls: Bool {
    descendants.filter { $0.typeName == "GtkScrolledWindow" && gtk_widget_get_mapped($0) != 0 }.contains {
      let place = gtk_scrolled_window_get_vadjustment($0.cast())
      return gtk_adjustment_get_upper(place) > gtk_adjustment_get_page_size(place)
    }
  }

  @MainActor fileprivate var codeEntry: Widget? {
    descendants.first { $0.typeName == "GtkEntry" && gtk_widget_has_css_class($0, "code") != 0 }
  }
}
