import Foundation

/// Returns the Swift examples of a DocC article that a test file lacks, ignoring indentation.
///
/// If it lacks none, the compiler checks every example, and the test runs it.
/// - Parameters:
///   - article: the path of the article below the repository's root.
///   - testFile: the path of the test file, which is two folders below the root.
/// - Throws: an error if either file can't be read.
public func untestedExamples(of article: String, testFile: String = #filePath) throws -> [String] {
  let root = testFile.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
  let tested = lines(try String(contentsOfFile: testFile, encoding: .utf8))
  let parts = try String(contentsOfFile: root + "/" + article, encoding: .utf8).components(separatedBy: "```")
  let examples = parts.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }.map {
    String($0.element.dropFirst("swift\n".count))
  }
  guard !examples.isEmpty else { return ["no example in \(article)"] }
  return examples.filter { !tested.contains(lines($0)) }
}

/// The lines of a text without their indentation.
private func lines(_ text: String) -> String {
  text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
}
