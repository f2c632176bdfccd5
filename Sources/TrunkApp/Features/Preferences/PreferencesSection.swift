import GtkKit

/// A part of the preferences.
protocol PreferencesSection: AnyObject {
  var widget: Widget { get }
  /// The dialog that contains this section.
  var window: DialogWindow? { get set }
}
