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
  private let score = label("", "numeric", "hint").ellipsize(.none).visible(false)

  init() {
    for mark in [ready, growing, seedlings, cultivated] { widget.append(mark.widget) }
    widget.append(score)
    widget.keeps(self)
  }

  /// - Parameter score: the branch's score, 0…1; `nil` to show none.
  func show(_ counts: NodeCounts, score: Double? = nil) {
    ready.show(counts.ready)
    growing.show(counts.growing - counts.ready)
    seedlings.show(counts.seedlings)
    cultivated.show(counts.cultivated)
    widget.tooltip(counts.isUnused && score == nil ? nil : CountMarks.text(counts, score: score))
    self.score.visible(score != nil)
    self.score.setText(score.map { Formats.percent($0) } ?? "")
  }

  /// `2 growing, 1 ready, 3 seedlings, 5 cultivated, soil 43%`.
  static func text(_ counts: NodeCounts, score: Double?) -> String {
    // Translators: the soil invested in a branch, as a percentage of 100.
    let soil = score.map { ", " + tr("soil {percent}", ["percent": Formats.percent($0)]) } ?? ""
    return text(counts) + soil
  }

  /// `2 growing, 1 ready, 3 seedlings, 5 cultivated`.
  static func text(_ counts: NodeCounts) -> String {
    if counts.isUnused { return tr("nothing here yet") }
    var parts: [String] = []
    if counts.growing > 0 { parts.append(trn("{n} growing", "{n} growing", counts.growing)) }
    if counts.ready > 0 { parts.append(trn("{n} ready", "{n} ready", counts.ready)) }
    if counts.seedlings > 0 { parts.append(trn("{n} seedling", "{n} seedlings", counts.seedlings)) }
    if counts.cultivated > 0 { parts.append(trn("{n} cultivated", "{n} cultivated", counts.cultivated)) }
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
