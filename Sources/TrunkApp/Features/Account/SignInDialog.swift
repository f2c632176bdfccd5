import EventStore
import GtkKit
import Localization
import Observation
import SyncEngine
import TrunkAccount
import TrunkKit

/// Asks for an email address, then for the code sent to it. Closing the dialog keeps the step.
final class SignInDialog {
  private let context: WindowContext
  private let signIn: SignInFlow
  private let window: DialogWindow
  private let back: Widget
  private let actionButton: Widget
  private let title = paragraph("", "title-3").centred()
  private let hint = paragraph("", "second").centred()
  private let address = entryRow(tr("Email address"))
  private let addressList: Widget
  private let code = codeEntry(name: tr("Code from the email"), placeholder: "······", width: 8)
  private let problem = paragraph("", "error").centred()
  private let buttons = wrapping(spacing: 8)
  private let resend: Widget
  private var countdown: Timeout?
  private var isFilling = false
  /// The last submitted code.
  private var sent = ""
  private var shownStep: SignInFlow.Step?
  private var wasLocked = false

  init(_ context: WindowContext, _ signIn: SignInFlow) {
    self.context = context
    self.signIn = signIn
    addressList = boxedList(address)
    resend = button(tr("Send Again"), "flat", "link") {}
    back = button(tr("Use Another Address"), "flat", "link") {}
    // Translators: {server} is an address, as in garden.example.org.
    let server = paragraph(tr("Signing in to {server}", ["server": signIn.serverName]), "hint").centred()
    let content = column(
      spacing: 12, icon("trunk-sprout-symbolic", size: 40).css("wood"), title, column(spacing: 4, hint, server),
      addressList, code, problem, buttons)
    window = DialogWindow(
      over: context.window, title: tr("Sign In"), closeTitle: tr("Close"), width: 440, content: content)
    actionButton = window.addActionButton(tr("Send Code"), "suggested-action") {}
    actionButton.on("clicked") { [weak self] in self?.advance() }
    resend.on("clicked") { [weak self] in self?.send() }
    back.on("clicked") { [weak self] in self?.changeAddress() }
    buttons.append(resend, back)
    buttons.halign(.center)
    code.css("code").halign(.center)
    code.onTextChange { [weak self] in self?.codeChanged() }
    address.on("entry-activated") { [weak self] in self?.advance() }
    address.onTextChange { [weak self] in self?.addressChanged() }
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
    // GTK would otherwise move the focus to a button, and Enter after the last digit would press it.
    if isNextStep { window.clearFocus() }
    addressList.visible(isAddress)
    code.visible(!isAddress && !signIn.isLocked)
    buttons.visible(!isAddress)
    switch signIn.step {
    case .address:
      title.setText(tr("The same garden on every device"))
      hint.setText(tr("Enter your email address to get a code by email. There is no password."))
      actionButton.setText(tr("Send Code"))
    case .code(let email):
      title.setText(signIn.isLocked ? tr("Too many wrong codes") : tr("Check your email"))
      hint.setText(tr("A code was sent to {email}.", ["email": email]))
      actionButton.setText(tr("Sign In"))
    }
    showTime()
    // Only when the step changes, because grabbing the focus selects the text.
    if isNextStep, !signIn.isLocked { (isAddress ? address : code).focus() }
  }

  /// Updates everything that depends on the remaining pause.
  private func showTime() {
    guard window.isOpen else { return }
    let left = signIn.secondsUntilResend()
    if case .code(let email) = signIn.step, signIn.isLocked { hint.setText(lockedHint(left, email)) }
    let message = isWaiting ? nil : signIn.problem
    problem.setText(message ?? "")
    problem.visible(message != nil)
    resend.sensitive(left == 0 && !signIn.isBusy)
    resend.setText(resendTitle(left))
    updateActionButton()
    window.fit()
  }

  /// Whether the title and the hint already show the problem and the remaining time.
  private var isWaiting: Bool { if case .locked = signIn.failure { signIn.isLocked } else { false } }

  private func lockedHint(_ seconds: Int64, _ email: String) -> String {
    switch seconds {
    case 0: tr("You can request a new code for {email}.", ["email": email])
    case ...SignInFailure.maxSeconds:
      trn(
        "You can request a new code for {email} in {n} second.",
        "You can request a new code for {email} in {n} seconds.",
        Int(seconds), ["email": email])
    default:
      trn(
        "You can request a new code for {email} in {n} minute.",
        "You can request a new code for {email} in {n} minutes.",
        SignInFailure.minutes(seconds), ["email": email])
    }
  }

  private func resendTitle(_ seconds: Int64) -> String {
    switch seconds {
    case 0: tr("Send Again")
    case ...SignInFailure.maxSeconds: trn("Send again in {n} s", "Send again in {n} s", Int(seconds))
    default: trn("Send again in {n} min", "Send again in {n} min", SignInFailure.minutes(seconds))
    }
  }

  private func updateActionButton() { actionButton.sensitive(isComplete) }

  /// Whether the input is complete, so that the button or Enter submits it.
  private var isComplete: Bool {
    guard !signIn.isBusy, !signIn.isLocked else { return false }
    switch signIn.step {
    // An invalid address gets an error message when it is submitted.
    case .address: return !address.text.trimmed.isEmpty
    case .code:
      let digits = SignIn.digits(code.text)
      // The last digit already submitted the code: Enter after it must not use up another attempt.
      return digits.count >= SignInFlow.usualDigits && !(signIn.failure == .wrongCode && digits == sent)
    }
  }

  private func advance() {
    guard isComplete else { return }
    if signIn.step == .address { send() } else { verify() }
  }

  private func send() {
    let email = if case .code(let email) = signIn.step { email } else { address.text }
    let signIn = signIn
    Task {  // No widgets
      await signIn.requestCode(email: email)
    }
  }

  private func addressChanged() {
    updateActionButton()
    signIn.forgetFailure()
  }

  private func changeAddress() {
    if case .code(let email) = signIn.step { address.text = email }
    isFilling = true
    code.text = ""
    isFilling = false
    signIn.changeAddress()
  }

  /// Submits a code when it has the usual number of digits, typed or pasted. Longer codes need the button.
  private func codeChanged() {
    guard !isFilling else { return }
    updateActionButton()
    let digits = SignIn.digits(code.text)
    // Submit each code once: the user may go on typing a longer one.
    if digits.count == SignInFlow.usualDigits, digits != sent { verify() }
  }

  private func verify() {
    let (signIn, context, window, text) = (signIn, context, window, code.text)
    guard !signIn.isBusy else { return }
    sent = SignIn.digits(text)
    context.attempt(in: window.foot, keeping: window.widget) { [weak self] in
      guard let outcome = await signIn.verify(text) else {
        // Select a wrong code, so that typing replaces it.
        if self?.code.text == text { self?.code.selectAll() }
        return
      }
      do {
        try await context.accountModel.signIn.finish(outcome)
      } catch StoreError.otherServer(let address) {
        guard await hasMoved(from: address, to: outcome.session.account.server, over: window.widget) else { return }
        try await context.accountModel.signIn.finish(outcome, serverHasMoved: true)
      }
      if window.isOpen { window.close() }
    }
  }
}

/// Asks whether the server has moved, because the local garden belongs to another address than the new session.
@MainActor private func hasMoved(from old: String, to new: String, over window: Widget) async -> Bool {
  let answer = await ask(
    over: window, tr("Has your server moved?"),
    tr(
      "This account’s garden on this computer was synced with {old}. If {new} is the same server at a new address, continue. If it is a different server, cancel: continuing would mix two gardens.",
      ["old": old, "new": new]), isUnexpected: true,
    [Answer("cancel", tr("Cancel")), Answer("moved", tr("It Has Moved"))])
  return answer == "moved"
}
