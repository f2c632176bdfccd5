import Glibc

// Runs the decoders of external text with libFuzzer's input. A trap, a memory error or a broken rule ends the run and
// leaves the input in a file. Tests/Fuzz/run builds this and runs each decoder for a while.

/// Ends the run if the input breaks a rule.
/// - Parameter problem: describes the broken rule.
func demand(_ holds: Bool, _ problem: @autoclosure () -> String) {
  if !holds { fatalError(problem()) }
}

/// Creates a folder for temporary files.
func makeFolder() -> String {
  let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var folder = Array((parent + "/trunk-fuzz-XXXXXX").utf8CString)
  guard mkdtemp(&folder) != nil else { fatalError("no folder in \(parent)") }
  return String(decoding: folder.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// The decoder that `TRUNK_FUZZ` names.
private let decoder: @Sendable ([UInt8]) -> Void = {
  let name = getenv("TRUNK_FUZZ").map { String(cString: $0) } ?? ""
  guard let decoder = decoders[name] else {
    fatalError("TRUNK_FUZZ names none of \(decoders.keys.sorted().joined(separator: " "))")
  }
  return decoder
}()

// libFuzzer calls this from its own `main`.
@_cdecl("LLVMFuzzerTestOneInput")
public func decodeOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  decoder(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}
