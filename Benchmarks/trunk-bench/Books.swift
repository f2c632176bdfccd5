import CairoKit
import TrunkKit
import TrunkModel
import TrunkPrint

/// Times the books of a garden and prints seconds as JSON: trunk-bench book FOLDER
/// - Parameter folder: of the store, with whole years before the current one.
@MainActor func measureBooks(_ folder: String) async throws {
  let model = try await GardenModel.open(folder: folder)
  guard let years = model.garden.years, years.count > 1 else { return }
  let year = years.upperBound - 1
  let source = try await model.yearBook(year...year)
  var (preview, file, size, pages): ([Double], [Double], Int, Int) = ([], [], 0, 0)
  for turn in 0..<5 {
    var choices = BookChoices()
    (choices.hasChapters, choices.hasFlipTrees) = (turn % 2 == 0, true)
    // As in the window after a choice: the pages, and a picture of the two that are open.
    let start = clock.now
    let painter = BookPainter(try await BookPages.made(source.book(choices), on: .a5, for: .printer))
    _ = Snapshot(width: 840, height: 595, scale: 1) { cairo in
      for page in [20, 21] { painter.draw(page: page, on: cairo) }
    }
    preview.append((clock.now - start) / .seconds(1))
    pages = painter.pages.count
    file.append(try seconds { size = try source.book(choices).files(.pdf)[0].count })
  }
  let start = clock.now
  let volumes = try await model.volumes(on: .a5, for: .screen, author: "", BookChoices())
  for volume in volumes { _ = try volume.files() }
  let life = (clock.now - start) / .seconds(1)
  print(
    "{\"preview\": \(preview), \"file\": \(file), \"size\": \(size), \"life\": \(life)",
    "\"volumes\": \(volumes.count), \"pages\": \(pages)}", separator: ", ")
}
