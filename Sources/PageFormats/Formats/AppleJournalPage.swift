/// What a page of Apple Journal says, found by the classes of its tags.
struct AppleJournalPage {
  private(set) var header = ""
  private(set) var title = ""
  private(set) var prompt = ""
  private(set) var place = ""
  private(set) var assets: [LeftOut: Int] = [:]
  private var writer = HTMLWriter()
  private var part = Part.none
  private var hasBody = false
  /// The open `div`s since the last grid of assets began; 0 outside of it.
  private var gridDepth = 0
  private var isMap = false

  private enum Part { case none, header, title, prompt, place, body }

  var body: String { writer.text }

  init(_ html: String) {
    for token in HTMLTokens(html) { add(token) }
  }

  private mutating func add(_ token: HTMLToken) {
    switch token {
    case .open(let name, let attributes):
      if gridDepth > 0, name == "div" { gridDepth += 1 }
      if enter(attributes) { return }
    case .close("div"):
      gridDepth = max(0, gridDepth - 1)
      if part != .body { part = hasBody && gridDepth == 0 ? .body : .none }
    case .text(let text):
      switch part {
      case .header: header += text
      case .title: title += text
      case .prompt: prompt += text
      case .place: place += text
      case .none, .body: break
      }
    case .close: break
    }
    if part == .body { writer.add(token) }
  }

  /// - Returns: whether a part of the page begins here.
  private mutating func enter(_ attributes: [UInt8]) -> Bool {
    guard let classes = HTMLToken.attribute("class", in: attributes)?.split(separator: " ") else { return false }
    if classes.contains("gridItem") {
      countAsset(classes.first { $0.hasPrefix("assetType_") }?.dropFirst(10).lowercased() ?? "")
    }
    let part: Part? =
      if classes.contains("pageHeader") {
        .header
      } else if classes.contains("title") {
        .title
      } else if classes.contains("reflectionPrompt") {
        .prompt
      } else if classes.contains("bodyText") {
        .body
      } else if classes.contains("gridItemOverlayFooter"), isMap, place.isEmpty {
        .place
      } else if classes.contains("assetGrid") { Part.none } else { nil }
    guard let part else { return false }
    self.part = part
    if part == .body || part == .title || part == .header { gridDepth = 0 }
    if part == .body { hasBody = true }
    if classes.contains("assetGrid") { gridDepth = 1 }
    return true
  }

  private mutating func countAsset(_ type: String) {
    isMap = type.hasSuffix("map") || type == "visit" || type == "location"
    let kind: LeftOut? =
      switch type {
      case "photo", "livephoto", "drawing", "": .pictures
      case "video": .videos
      case "audio": .sounds
      case "stateofmind": .moods
      case "music", "media", "podcast", "book", "thirdpartymedia": .music
      case "contact": nil
      case _ where isMap: .coordinates
      default: .activities
      }
    if let kind { assets[kind, default: 0] += 1 }
  }
}
