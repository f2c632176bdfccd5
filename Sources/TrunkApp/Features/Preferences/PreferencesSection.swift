import GtkKit

/// A part of the preferences. When their window is closed, its widgets are destroyed and it is freed, so asynchronous
/// work must not keep it.
protocol PreferencesSection: AnyObject {
  /// Its rows and other widgets, in groups.
  var groups: [Widget] { get }
  /// The dialog that contains this section.
  var window: (any DialogParent)? { get set }
}
