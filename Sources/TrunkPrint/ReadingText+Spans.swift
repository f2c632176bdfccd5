import CairoKit
import TrunkKit

extension ReadingText {
  /// How its runs look on paper.
  var spans: [TextSpan] {
    var end = 0
    return runs.compactMap { run in
      let start = end
      end += run.text.unicodeScalars.count
      let look = ReadingText.looks.filter { run.style.contains($0.style) }.reduce(into: TextSpan.Look()) {
        $0.formUnion($1.look)
      }
      return look.isEmpty ? nil : TextSpan(start..<end, look)
    }
  }

  private static let looks: [(style: Style, look: TextSpan.Look)] = [
    (.strong, .bold), (.emphasized, .italic), (.struck, .struck), (.code, .monospaced), (.heading, [.bold, .large]),
  ]
}
