import CGtk

/// A button of a notification, which invokes a command of the application even if it doesn't run.
public struct NotificationButton {
  let title: String
  let action: String
  let target: String?

  /// - Parameter action: a command with its prefix, for example `app.water`.
  public init(_ title: String, action: String, target: String? = nil) {
    (self.title, self.action, self.target) = (title, action, target)
  }

  /// The target, which the notification takes over.
  fileprivate var variant: OpaquePointer? { target.map { g_variant_new_string($0) } }
}

extension DesktopApplication {
  /// Shows a notification of the desktop. A press on it does what its first button does.
  /// - Parameter id: a notification with the same id is replaced.
  public func notify(_ id: String, title: String, buttons: [NotificationButton]) {
    let notification: OpaquePointer = g_notification_new(oneLine(title))
    defer { g_object_unref(UnsafeMutableRawPointer(notification)) }
    if let first = buttons.first {
      g_notification_set_default_action_and_target_value(notification, first.action, first.variant)
    }
    for button in buttons {
      g_notification_add_button_with_target_value(
        notification, withoutMnemonic(button.title), button.action, button.variant)
    }
    g_application_send_notification(object.cast(), id, notification)
  }

  /// Removes a notification that is still shown.
  public func withdrawNotification(_ id: String) { g_application_withdraw_notification(object.cast(), id) }
}
