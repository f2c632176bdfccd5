import Testing

@testable import TrunkModel

@Suite struct JSONTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "10", "-1.5e+10", "1E5", "0.1", "\"\"", "\"a\"", "[]", "{}", "[1,2]",
    #"{"a":1,"b":[{}]}"#, #""\u00e9\n\"\\\/\b\f\r\t""#, "\"\u{7F}é€𝄞\"",
  ])
  func keepsTheSourceText(text: String) throws {
    #expect(try JSON(text).compactText == text)
    #expect(try JSON(" \t\r\n\(text)\n").compactText == text)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "True", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "--1", "1 2",
    "\"", "\"a", "'a'", "\"\\\"", #""\x""#, #""\u12""#, #""\u12g4""#, #""\"#, "\"a\nb\"", "\"\u{1}\"", "\"\0\"", "[",
    "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}",
    "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1}}", "// a\n1", "1/**/", "\u{FEFF}1", "\u{A0}1",
  ])
  func rejectsInvalidJSON(text: String) {
    #expect(throws: JSONError.self) { try JSON(text) }
  }

  /// Tests each character at each position in a string, next to different characters.
  @Test(arguments: ["a", "!", "\u{80}"])
  func readsEveryCharacterAtEveryPosition(beside: String) throws {
    let characters = (0..<0x180).compactMap(Unicode.Scalar.init) + ["\u{2013}", "\u{1F331}"]
    for length in 0..<20 {
      for place in 0...length {
        let start = String(repeating: beside, count: place)
        let end = String(repeating: beside, count: length - place)
        for character in characters {
          let inside = start + String(character) + end
          switch character {
          case "\u{0}"..."\u{1F}":
            let problem = JSONError(problem: "a control character in a string", offset: 1 + start.utf8.count)
            #expect(throws: problem) { try JSON("\"\(inside)\"") }
          case "\"": #expect(throws: JSONError.self) { try JSON("\"\(inside)\"") }
          case "\\": #expect(try JSON("\"\(start)\\\\\(end)\"").text == inside)
          default: #expect(try JSON("\"\(inside)\"").text == inside)
          }
        }
      }
    }
  }

  @Test func reportsWhereTheErrorIs() {
    #expect(throws: JSONError(problem: "expected a value", offset: 4)) { try JSON("[1, x]") }
    #expect(throws: JSONError(problem: "expected a name in quotes", offset: 7)) { try JSON(#"{"a":1,}"#) }
    #expect("\(JSONError(problem: "expected a digit", offset: 2))" == "not valid JSON at byte 2: expected a digit")
  }

  @Test func rejectsDeepNestingInsteadOfExhaustingTheStack() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
    }
    #expect(try JSON(nested(199, "[", "]")).compactText.utf8.count == 399)
    #expect(throws: JSONError.self) { try JSON(nested(200, "[", "]")) }
    #expect(throws: JSONError.self) { try JSON(nested(1_000_000, "[", "]")) }
    #expect(throws: JSONError.self) { try JSON(nested(100_000, #"{"a":"#, "}")) }
  }

  @Test func decodesEscapes() throws {
    #expect(try JSON(#""\u0041\u00e9\u20AC\ud834\udd1e\/\b\f\n\r\t\"\\""#).text == "Aé€𝄞/\u{8}\u{C}\n\r\t\"\\")
    #expect(try JSON(#""\u0000""#).text == "\0")
  }

  @Test func loneSurrogatesKeepTheirSpelling() throws {
    for (literal, decoded) in [
      (#"\ud834"#, "\u{FFFD}"), (#"\udd1e\ud834"#, "\u{FFFD}\u{FFFD}"), (#"a\uD834b"#, "a\u{FFFD}b"),
      (#"\ud834\u0041"#, "\u{FFFD}A"), (#"\ud834\ud834\udd1e"#, "\u{FFFD}𝄞"), (#"\ud834\n"#, "\u{FFFD}\n"),
    ] {
      let value = try JSON("\"\(literal)\"")
      #expect(value.text == decoded, "\(literal)")
      #expect(value.compactText == "\"\(literal)\"")
    }
    #expect(try JSON(#""\uD834""#).canonicalText == #""\ud834""#)
    #expect(try JSON(#""\ud834""#).canonicalText != JSON(#""\ud835""#).canonicalText)
  }

  @Test func looksUpTheLastOfDuplicateNames() throws {
    let value = try JSON(#"{"a":1,"b":2,"\u0061":3}"#)
    #expect(value["a"]?.double == 3)
    #expect(value["c"] == nil)
    #expect(value.canonicalText == #"{"a":3,"b":2}"#)
    #expect(value.compactText == #"{"a":1,"b":2,"\u0061":3}"#)
    #expect(try JSON("[1]")["a"] == nil)
  }

  @Test func canonicalTextIsTheSameForAllSpellings() throws {
    let spellings = [
      #"{"b":[1,"é/\n"],"a":{"d":null,"c":true}}"#,
      #" { "a" : { "c" : true , "d" : null } , "b" : [ 1 , "\u00E9\/\u000a" ] } "#,
      #"{"a":{"d":1,"c":true,"\u0064":null},"b":[1,"\u00e9/\n"]}"#,
    ]
    for text in spellings {
      #expect(try JSON(text).canonicalText == #"{"a":{"c":true,"d":null},"b":[1,"é/\n"]}"#)
    }
    #expect(try JSON(#""\u007f\u0001\u0022\u005c""#).canonicalText == "\"\u{7F}\\u0001\\\"\\\\\"")
  }

  @Test func namesThatDifferOnlyInCompositionAreDistinct() throws {
    let text = "{\"e\u{301}\":1,\"\u{E9}\":2}"
    #expect(try JSON(text).canonicalText.utf8.elementsEqual(text.utf8))
    #expect(try JSON(JSON(text).prettyText).canonicalText.utf8.elementsEqual(text.utf8))
  }

  @Test func sortsNamesByCodePoints() throws {
    let value = try JSON(#"{"z":1,"é":2,"a":3,"Z":4,"":5,"aa":6,"𝄞":7,"\uffff":8}"#)
    #expect(value.canonicalText == "{\"\":5,\"Z\":4,\"a\":3,\"aa\":6,\"z\":1,\"é\":2,\"\u{FFFF}\":8,\"𝄞\":7}")
  }

  @Test func prettyTextIndentsByTwo() throws {
    let value = try JSON(#"{"b":[1,{"d":2,"c":[]}],"a":{}}"#)
    #expect(
      value.prettyText == """
        {
          "a": {},
          "b": [
            1,
            {
              "c": [],
              "d": 2
            }
          ]
        }
        """)
  }

  @Test func writesNumbersLikeJavaScript() {
    for (value, text) in [
      (0.0, "0"), (-0.0, "0"), (5, "5"), (-12, "-12"), (0.05, "0.05"), (1.2917, "1.2917"), (120, "120"),
      (.nan, "null"), (.infinity, "null"), (1e300, "1e+300"),
    ] {
      #expect(JSON.number(value).compactText == text)
    }
    for value in [0.1 + 0.2, .pi, Double.leastNonzeroMagnitude, 1e15, 1e16, Double.greatestFiniteMagnitude] {
      #expect(JSON.number(value).double == value)
    }
  }

  @Test func readsNumbers() throws {
    #expect(try JSON("1e400").double == nil)
    #expect(try JSON("-2.5e-1").double == -0.25)
    #expect(try JSON("\"1\"").double == nil)
    #expect(try JSON("1.50").canonicalText == "1.50")
  }

  @Test func stringsSurviveWriting() throws {
    for text in hostileTexts {
      #expect(try JSON(JSON.string(text).compactText).text == text)
      #expect(try JSON(JSON.string(text).canonicalText).text == text)
    }
  }
}
