import GtkKit
import Localization
import TrunkKit

/// The contents of a branch or twig: an icon and a number for each kind. Kinds with none are left out.
final class CountMarks {
  /// Decorative: the row's accessible name has the numbers in words.
  let widget = line(spacing: 12)

  private let growing = Mark("trunk-sprout-symbolic")
  private let ready = Mark("trunk-harvest-symbolic", "green")
  private let seedlings = Mark("trunk-seedling-symbolic")
  private let cultivated = Mark("trunk-leaf-symbolic")
  private let tended = label("", "hint").ellipsize(.none).visible(false)

  init() {
    for mark in [ready, growing, seedlings, cultivated] { widget.append(mark.widget) }
    widget.append(tended)
    widget.keeps(self)
  }

  /// - Parameter tended: when the branch was last tended; `nil` to show nothing.
  func show(_ counts: NodeCounts, tended: String? = nil) {
    ready.show(counts.ready)
    growing.show(counts.growing - counts.ready)
    seedlings.show(counts.seedlings)
    cultivated.show(counts.cultivated)
    widget.tooltip(counts.isUnused && tended == nil ? nil : CountMarks.text(counts, tended: tended))
    self.tended.visible(tended != nil)
    self.tended.setText(tended ?? "")
  }

  /// `2 growing, 1 ready, 3 seedlings, 5 harvested, last tended: yesterday`.
  static func text(_ counts: NodeCounts, tended: String?) -> String {
    text(counts) + (tended.map { ", " + tr("last tended: {time}", ["time": $0]) } ?? "")
  }

  /// `2 growing, 1 ready, 3 seedlings, 5 harvested`.
  static func text(_ counts: NodeCounts) -> String {
    if counts.isUnused { return tr("nothing here yet") }
    var parts: [String] = []
    let growing = counts.growing - counts.ready
    if growing > 0 { parts.append(trn("{n} growing", "{n} growing", growing)) }
    if counts.ready > 0 { parts.append(trn("{n} ready", "{n} ready", counts.ready)) }
    if counts.seedlings > 0 { parts.append(trn("{n} seedling", "{n} seedlings", counts.seedlings)) }
    if counts.cultivated > 0 { parts.append(trn("{n} harvested", "{n} harvested", counts.cultivated)) }
    if counts.uprooted > 0 { parts.append(trn("{n} uprooted", "{n} uprooted", counts.uprooted)) }
    return parts.joined(separator: ", ")
  }
}

/// A picture and a number.
private final class Mark {
  let widget: Widget

  private let number = label("", "numeric", "hint").ellipsize(.none)

  init(_ name: String, _ classes: String...) {
    widget = line(spacing: 4, icon(name, size: 14).css("hint"), number).valign(.center)
    for style in classes { widget.children.forEach { $0.css(style) } }
    widget.keeps(self)
  }

  func show(_ count: Int) {
    widget.visible(count > 0)
    number.setText("\(count)")
  }
}
