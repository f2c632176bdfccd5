import GtkKit
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The leaves of waterings and harvests and the lichen of reflections, which lead to their entries.
extension TreeCanvas {
  /// The entry whose mark is at a point of the zoomed limb. The marks are looked for only after the camera has stopped.
  func entry(at point: Point) -> TreeTarget? {
    guard let branch, let scene, zoom?.isRunning != true else { return nil }
    let marks = marks ?? scene.picture.entryMarks(of: branch)
    self.marks = marks
    guard let mark = scene.picture.entryMark(at: point, of: marks, inside: branch) else { return nil }
    return item(of: mark, in: context.model.garden).map { .entry($0, mark) }
  }

  private func item(of mark: EntryMark, in garden: Garden) -> TimelineItem? {
    let entries: [JournalEntry]
    let position: Int
    switch mark.entry {
    case .watering(let id, let number):
      entries = garden.sprout(id: id).map(garden.waterings) ?? []
      position = number
    case .harvest(let id):
      return garden.sprout(id: id).flatMap { garden.milestones(of: $0).first { $0.kind == .harvest } }
    case .reflection(let age):
      entries = garden.journal.filter { $0.sprout == nil && $0.twig == mark.twig }
      position = entries.count - 1 - age
    }
    return entries.indices.contains(position) ? garden.items([entries[position]]).first : nil
  }

  /// Shows the words of the entry that is pointed at, once they are read.
  func showWords(_ text: String?) {
    guard let text, case .entry = hovered else { return }
    context.foot.pointed = text
    picture.accessibleDescription(text)
  }
}
