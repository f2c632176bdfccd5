import Testing

@Suite struct HideCommandTests {
  @Test func hidesListsAndShowsAgain() throws {
    let program = try BuiltProgram()
    for (title, words) in [("Cello", "Along the river."), ("Bread", "The river again.")] {
      #expect(try program.run("plant", title, "--twig", "voice/practice").code == 0)
      #expect(try program.run("water", title, "-m", words).code == 0)
    }
    let several = try program.run("hide", "river")
    #expect(several.code == 3 && several.errorOutput.contains("Along the river."))
    #expect(try program.run("hide", "mountain").code == 3)
    #expect(try program.run("hide").output == "No entry is hidden on this computer.\n")

    #expect(try program.run("hide", "along the").output.hasPrefix("Hidden on this computer: "))
    #expect(try program.run("hide").output.contains("Along the river."))
    #expect(try program.json("hide").text("hidden.0.title") == "Cello")
    let shown = try program.run("show", "cello").output
    #expect(shown.contains("(hidden on this computer)") && !shown.contains("Along"))
    #expect(try program.json("show", "cello").at("entries.0.hidden") == .bool(true))
    let log = try program.run("log").output
    #expect(log.contains("(hidden on this computer)") && !log.contains("Along"))
    let found = try program.json("search", "river")
    #expect(found.number("counts.entries") == 1 && found.at("results.1") == nil)
    #expect(try !program.run("export", "--format", "markdown", "--to", "-").output.contains("Along"))

    let id = try #require(try program.json("hide").text("hidden.0.event.client_id"))
    #expect(try program.run("hide", "--undo").code == 2)
    #expect(try program.json("hide", "--undo", id).at("hidden") == .bool(false))
    #expect(try program.run("show", "cello").output.contains("Along the river."))
  }
}
