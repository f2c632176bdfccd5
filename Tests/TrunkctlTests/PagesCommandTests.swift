import Foundation
import Testing
import TrunkModel

@Suite struct PagesCommandTests {
  private func write(_ text: String, _ program: BuiltProgram, _ name: String = "journal.txt") throws -> String {
    let path = program.home + "/" + name
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  @Test func importsListsFindsAndRemoves() throws {
    let program = try BuiltProgram()
    let file = try write("[2020-01-02 10:00] Snow\nOn the roof.\n\n[2021-03-04 10:00] Rain @weather\n", program)
    let trial = try program.run("pages", "import", "--dry-run", file)
    #expect(trial.output.hasPrefix("jrnl · 2 pages · 2 January 2020 – 4 March 2021\n2 pages would be new.\n"))
    #expect(trial.output.contains("Snow"))
    #expect(program.files == ["journal.txt"])
    let done = try program.json("pages", "import", file)
    #expect(done.number("new") == 2 && done.at("format") == .string("jrnl") && done.at("dryRun") == .bool(false))
    #expect(try program.run("pages", "import", file).output.contains("2 pages are here already."))
    #expect(try program.run("pages").output.hasPrefix("1  jrnl  journal  2 pages"))
    #expect(try program.json("pages", "list").number("sources.0.pages") == 2)

    let found = try program.run("search", "roof", "in:earlier").output
    #expect(found.contains("Earlier page · jrnl") && found.contains("On the roof."))
    let json = try program.json("search", "roof")
    #expect(json.number("counts.pages") == 1 && json.at("pages.0.title") == .string("Snow"))
    let log = try program.run("log").output
    #expect(log.contains("Earlier page · jrnl") && log.contains("Rain"))
    #expect(try program.json("log", "--limit", "1").at("pages.0.date") == .string("2021-03-04T10:00"))
    #expect(try program.json("doctor").number("pages") == 2)

    let book = program.home + "/book.md"
    let empty = try program.run("export", "--format", "markdown", "--year", "2020", "--to", book)
    #expect(empty.code == 3 && empty.errorOutput.contains("only 1 earlier page. To export it, add --earlier-pages."))
    #expect(try program.run("export", "--format", "markdown", "--earlier-pages", "--to", book).code == 0)
    #expect(try String(contentsOfFile: book, encoding: .utf8).contains("On the roof."))
    let other = try BuiltProgram()
    let export = program.home + "/garden.json"
    #expect(try program.json("export", export).number("pages") == 2)
    #expect(try other.json("import", "--dry-run", export).number("pages") == 2)
    #expect(try other.json("import", export).number("pages") == 2)
    #expect(try other.json("import", export).number("pages") == 0)

    #expect(try other.run("plant", "Learn the cello prelude", "--twig", "voice/practice").code == 0)
    let entries = try other.run("export", "--format", "markdown", "--to", other.home + "/book.md")
    #expect(entries.code == 0 && entries.output.contains("2 earlier pages aren’t in it."))

    // A year before the tree has a plain book.
    let shop = program.home + "/a.pdf"
    let advised = try program.run("export", "--format", "pdf", "--year", "2020", "--print-shop", "--to", shop)
    #expect(advised.errorOutput.contains("To export it, add --earlier-pages."))
    let refused = try program.run(
      "export", "--format", "pdf", "--year", "2020", "--print-shop", "--to", shop, "--earlier-pages")
    #expect(refused.errorOutput.contains("This year has only earlier pages.") && !program.files.contains("a.pdf"))

    // A garden with nothing but pages isn't empty.
    #expect(try program.run("backup").code == 0)
    #expect(try !program.run("list").errorOutput.contains("has backups"))
    let removed = try program.json("pages", "remove", "JOURNAL")
    #expect(try program.run("list").errorOutput.contains("This garden is empty, but it has backups"))
    #expect(removed.number("pages") == 2)
    #expect(try program.run("pages", "list").output == "There are no earlier pages.\n")
    let text = try String(contentsOfFile: #require(removed.text("backup")), encoding: .utf8)
    #expect(try ExportFile.decodeContents(text).pageCount == 2)
    #expect(try program.run("pages", "remove", "journal").code == 3)
  }

  @Test func asksForTheOrderOfDates() throws {
    let program = try BuiltProgram()
    let file = try write("[03.04.2023 10:00] Snow\n", program)
    let asked = try program.run("pages", "import", file)
    #expect(asked.code == 2 && asked.errorOutput.contains("3 April 2023 or 4 March 2023"))
    #expect(
      try program.json("pages", "import", "--date-order", "month-first", file).at("first") == .string("2023-03-04"))
    let two = try write("[03/04/2023 10:00] Snow\n[05-06-2023 10:00] Sun\n", program)
    let next = try program.run("pages", "import", "--date-order", "month-first", two)
    #expect(next.code == 2 && next.errorOutput.contains("5 June 2023 or 6 May 2023"))
    let answered = try program.json(
      "pages", "import", "--date-order", "month-first", "--date-order", "day-first", two)
    #expect(answered.at("first") == .string("2023-03-04") && answered.at("last") == .string("2023-06-05"))
  }

  @Test func namesWhatCannotBeRead() throws {
    let program = try BuiltProgram()
    for path in [program.home + "/missing", try write("no journal at all\n", program)] {
      let outcome = try program.run("pages", "import", path)
      #expect(outcome.code == 5 && outcome.errorOutput.contains(path), "\(outcome.errorOutput)")
    }
    #expect(try program.run("pages").output == "There are no earlier pages.\n")
  }
}
