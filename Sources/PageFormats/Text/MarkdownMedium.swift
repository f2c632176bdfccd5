/// A picture or another medium in a line of Markdown: `![caption](address)` or, with wiki links, `![[file|caption]]`.
struct MarkdownMedium {
  var kind: LeftOut
  /// The words that go with it; empty if they only name the file.
  var caption: String

  init(target: String, caption parts: some Sequence<Substring>) {
    kind = Self.kind(target)
    let words = PageText.line(parts.filter { !Self.isSize($0) }.joined(separator: "|"))
    caption = Self.isName(words, of: target) ? "" : words
  }

  /// `300` or `300x200`, with which Obsidian sets the width.
  private static func isSize(_ part: Substring) -> Bool {
    part.utf8.first.map { (0x30...0x39).contains($0) } == true
      && part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "x") || $0 == 0x20 }
  }

  /// Whether a caption says no more than that there is a file.
  private static func isName(_ caption: String, of target: String) -> Bool {
    let caption = caption.lowercased()
    let name = (target.split(separator: "/").last ?? "").prefix { $0 != "?" && $0 != " " }.lowercased()
    return caption == name || name.hasPrefix(caption + ".") || knownKind(caption) != nil
      || emptyCaptions.contains(caption)
  }

  /// What programs write if the user doesn't write anything.
  private static let emptyCaptions: Set<String> = [
    "", "photo", "a photo", "picture", "a picture", "image", "an image", "img", "alt", "alt text", "video", "audio",
    "file", "attachment", "bild", "foto", "imagen",
  ]

  private static func ending(_ name: String) -> String? {
    guard let point = name.lastIndex(of: ".") else { return nil }
    let ending = name[point...].dropFirst().prefix { $0 != " " && $0 != "?" && $0 != "\"" }.lowercased()
    return (1...10).contains(ending.utf8.count) ? ending : nil
  }

  /// The kind of a file, by its name. Without a known ending it is a picture.
  static func kind(_ name: String) -> LeftOut {
    if name.hasPrefix("dayone-moment:/video") { return .videos }
    if name.hasPrefix("dayone-moment:/audio") { return .sounds }
    if name.hasPrefix("dayone-moment:/pdf") { return .documents }
    return knownKind(name) ?? .pictures
  }

  /// The kind of a file whose ending is that of a medium; `nil` for others, such as a note named `Version 1.2`.
  static func knownKind(_ name: String) -> LeftOut? {
    switch ending(name) ?? "" {
    case "mp4", "mov", "m4v", "avi", "mkv", "webm", "3gp": .videos
    case "mp3", "m4a", "aac", "wav", "ogg", "opus", "flac", "caf", "3ga", "amr": .sounds
    case "pdf", "doc", "docx", "odt", "txt", "zip", "canvas", "base": .documents
    case "png", "jpg", "jpeg", "jfif", "gif", "webp", "bmp", "svg", "heic", "heif", "avif", "tif", "tiff", "ico", "dng",
      "excalidraw", "drawio":
      .pictures
    default: nil
    }
  }
}
