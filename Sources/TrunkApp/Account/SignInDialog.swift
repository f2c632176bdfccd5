import GardenStore
import Gardening
import GtkKit
import Localization
import Observation
import Sync

/// Signing in: an address, then the code that was sent to it. Closing keeps the step.
final class SignInDialog {
  private let session: Session
  private let signIn: SignInFlow
  private let window: DialogWindow
  private let back: Widget
  private let deed: Widget
  private let title = paragraph("", "title-3").centred()
  private let hint = paragraph("", "second").centred()
  private let address = entryRow(tr("E-mail address"))
  private let addressList: Widget
  private let code = entry(name: tr("Code from the mail"), placeholder: "······")
  private let problem = paragraph("", "error").centred()
  private let ways = wrapping(spacing: 8)
  private let resend: Widget
  private var countdown: Timeout?
  private var isFilling = false
  /// The code that was sent off last.
  private var sent = ""
  private var shownStep: SignInFlow.Step?
  private var wasLocked = false

  init(_ session: Session, _ signIn: SignInFlow) {
    self.session = session
    self.signIn = signIn
    addressList = boxedList(address)
    resend = button(tr("Send Again"), "flat", "link") {}
    back = button(tr("Use Another Address"), "flat", "link") {}
    // Translators: {server} is an address, as in garden.example.org.
    let server = paragraph(tr("Signing in to {server}", ["server": signIn.serverName]), "hint").centred()
    let content = column(
      spacing: 12, icon("trunk-sprout-symbolic", size: 40).css("wood"), title, column(spacing: 4, hint, server),
      addressList, code, problem, ways)
    window = DialogWindow(
      over: session.window, title: tr("Sign In"), closeTitle: tr("Close"), width: 440, content: content)
    deed = window.addDeed(tr("Send Code"), "suggested-action") {}
    deed.on("clicked") { [weak self] in self?.goOn() }
    resend.on("clicked") { [weak self] in self?.send() }
    back.on("clicked") { [weak self] in self?.changeAddress() }
    ways.append(resend, back)
    ways.align(GTK_ALIGN_CENTER)
    gtk_editable_set_alignment(code.cast(), 0.5)
    code.css("code").align(GTK_ALIGN_CENTER)
    gtk_editable_set_width_chars(code.cast(), 8)
    gtk_entry_set_input_purpose(code.cast(), GTK_INPUT_PURPOSE_DIGITS)
    gtk_entry_set_activates_default(code.cast(), 1)
    code.on("changed") { [weak self] in self?.codeChanged() }
    address.on("entry-activated") { [weak self] in self?.goOn() }
    address.on("changed") { [weak self] in self?.addressChanged() }
    window.widget.keeps(self)
    follow()
  }

  func present() {
    render()
    window.present()
  }

  private func follow() {
    let signIn = signIn
    let task = Task { [weak self] in
      for await _ in Observations({ (signIn.step, signIn.isBusy, signIn.failure, signIn.isLocked, signIn.resendPause) })
      {
        guard !Task.isCancelled else { break }
        self?.render()
      }
    }
    window.widget.on("destroy") { task.cancel() }
    countdown = Timeout.every(milliseconds: 1000) { [weak self] in
      self?.showTime()
      return self != nil
    }
    window.widget.on("destroy") { [weak self] in self?.countdown = nil }
  }

  private func render() {
    guard window.isOpen else { return }
    let isAddress = signIn.step == .address
    let isNextStep = signIn.step != shownStep || signIn.isLocked != wasLocked
    (shownStep, wasLocked) = (signIn.step, signIn.isLocked)
    // Left to itself the focus would go to a button, and Enter after the last digit would press that.
    if isNextStep { gtk_window_set_focus(window.widget.cast(), nil) }
    addressList.visible(isAddress)
    code.visible(!isAddress && !signIn.isLocked)
    ways.visible(!isAddress)
    switch signIn.step {
    case .address:
      title.setText(tr("The same garden on every device"))
      hint.setText(tr("Type your e-mail address: a code comes by mail. There is no password."))
      gtk_button_set_label(deed.cast(), tr("Send Code"))
    case .code(let email):
      title.setText(signIn.isLocked ? tr("Too many wrong codes") : tr("Look into your mail"))
      hint.setText(tr("A code is on its way to {email}.", ["email": email]))
      gtk_button_set_label(deed.cast(), tr("Sign In"))
    }
    showTime()
    // Only with the step: it would select what is being typed.
    if isNextStep, !signIn.isLocked { gtk_widget_grab_focus(isAddress ? address : code) }
  }

  /// All that depends on how long the server still has to be left alone.
  private func showTime() {
    guard window.isOpen else { return }
    let left = signIn.secondsUntilResend()
    if case .code(let email) = signIn.step, signIn.isLocked { hint.setText(lockedHint(left, email)) }
    let words = isWaiting ? nil : signIn.problem
    problem.setText(words ?? "")
    problem.visible(words != nil)
    resend.sensitive(left == 0 && !signIn.isBusy)
    gtk_button_set_label(resend.cast(), resendTitle(left))
    showDeed()
    window.fit()
  }

  /// Title and hint say why, and for how long.
  private var isWaiting: Bool { if case .locked = signIn.failure { signIn.isLocked } else { false } }

  private func lockedHint(_ seconds: Int64, _ email: String) -> String {
    switch seconds {
    case 0: tr("You can have a new one sent to {email}.", ["email": email])
    case ...SignInFailure.mostSeconds:
      trn(
        "In {n} second you can have a new one sent to {email}.",
        "In {n} seconds you can have a new one sent to {email}.",
        Int(seconds), ["email": email])
    default:
      trn(
        "In {n} minute you can have a new one sent to {email}.",
        "In {n} minutes you can have a new one sent to {email}.",
        SignInFailure.minutes(seconds), ["email": email])
    }
  }

  private func resendTitle(_ seconds: Int64) -> String {
    switch seconds {
    case 0: tr("Send Again")
    case ...SignInFailure.mostSeconds: trn("Send again in {n} s", "Send again in {n} s", Int(seconds))
    default: trn("Send again in {n} min", "Send again in {n} min", SignInFailure.minutes(seconds))
    }
  }

  private func showDeed() { deed.sensitive(isComplete) }

  /// Whether there is enough to go on with, by the button or by Enter.
  private var isComplete: Bool {
    guard !signIn.isBusy, !signIn.isLocked else { return false }
    switch signIn.step {
    // What is no address is told so.
    case .address: return !address.text.trimmed.isEmpty
    case .code:
      let digits = SignIn.digits(code.text)
      // Enter after the last digit, which has sent the code already, must not spend another try.
      return digits.count >= SignInFlow.usualDigits && !(signIn.failure == .wrongCode && digits == sent)
    }
  }

  private func goOn() {
    guard isComplete else { return }
    if signIn.step == .address { send() } else { verify() }
  }

  private func send() {
    let email = if case .code(let email) = signIn.step { email } else { address.text }
    let signIn = signIn
    Task { await signIn.requestCode(email: email) }
  }

  private func addressChanged() {
    showDeed()
    signIn.forgetFailure()
  }

  private func changeAddress() {
    if case .code(let email) = signIn.step { address.text = email }
    isFilling = true
    code.text = ""
    isFilling = false
    signIn.changeAddress()
  }

  /// The last digit of a usual code sends it off, typed or pasted; longer ones go by the button.
  private func codeChanged() {
    guard !isFilling else { return }
    showDeed()
    let digits = SignIn.digits(code.text)
    // Once for each code: a longer one goes on from here.
    if digits.count == SignInFlow.usualDigits, digits != sent { verify() }
  }

  private func verify() {
    let (signIn, session, window, text) = (signIn, session, window, code.text)
    guard !signIn.isBusy else { return }
    sent = SignIn.digits(text)
    session.attempt(in: window.toaster, keeping: window.widget) { [weak self] in
      guard let outcome = await signIn.verify(text) else {
        // A wrong code is typed anew, not mended.
        if self?.code.text == text { self?.code.selectAll() }
        return
      }
      do {
        try await session.synchroniser.finish(outcome)
      } catch StoreError.otherServer(let address) {
        guard await hasMoved(from: address, to: outcome.session.account.server, over: window.widget) else { return }
        try await session.synchroniser.finish(outcome, serverHasMoved: true)
      }
      if window.isOpen { window.close() }
    }
  }
}

/// The garden that is here belongs to another address than the one at which somebody has signed in.
@MainActor private func hasMoved(from old: String, to new: String, over window: Widget) async -> Bool {
  let answer = await ask(
    over: window, tr("Has your server moved?"),
    tr(
      "The garden of this account that is on this computer was synced with {old}. If {new} is the same server at a new address, the garden goes on there. If it is another one, cancel: two gardens would be mixed.",
      ["old": old, "new": new]), [Answer("cancel", tr("Cancel")), Answer("moved", tr("It Has Moved"))])
  return answer == "moved"
}

extension Widget {
  fileprivate func selectAll() { gtk_editable_select_region(cast(), 0, -1) }
}
