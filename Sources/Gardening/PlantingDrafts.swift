import Garden
import GardenStore

extension Gardener {
  /// Where one plant form is kept on disk until it is planted.
  ///
  /// Every form has a slot of its own, so that undoing a planting can't overwrite a form that was begun since.
  public struct PlantingSlot: Sendable, Equatable {
    let key: DraftKey

    /// A new slot.
    /// - Parameter origin: where the form was opened: the id of a seedling, a leaf or a twig; empty for the command.
    public init(origin: String) {
      key = DraftKey(kind: Self.kind, entity: origin + Self.separator + Gardener.newID("form"), day: "")
    }

    fileprivate init?(_ key: DraftKey, origin: String) {
      guard key.kind == Self.kind, let end = key.entity.lastIndex(of: Character(Self.separator)),
        key.entity[..<end] == origin
      else { return nil }
      self.key = key
    }

    private static let kind = "plant"
    private static let separator = "#"
  }

  /// The newest form that was opened there and not planted; `nil` if there is none.
  public func begunPlanting(from origin: String) async throws -> (slot: PlantingSlot, planting: Planting)? {
    for draft in try await store.drafts() {
      if let slot = PlantingSlot(draft.key, origin: origin), let planting = Planting(draftText: draft.text) {
        return (slot, planting)
      }
    }
    return nil
  }

  /// Keeps what was filled in so far, on disk; `nil` removes the draft.
  public func keepDraft(_ planting: Planting?, in slot: PlantingSlot) async throws {
    guard let planting else { return try await store.removeDraft(for: slot.key) }
    try await store.save(Draft(key: slot.key, text: planting.draftText, updated: clock.now()))
  }
}

extension Gardener.Planting {
  /// The form as JSON; the same form always gives the same text.
  var draftText: String {
    var members = [("twig", twig.id), ("title", title), ("season", season.rawValue), ("ground", environment.rawValue)]
    switch leaf {
    case .existing(let id): members.append(("leaf", id))
    case .new(let name): members.append(("newLeaf", name))
    }
    members += [("withering", bloomWither), ("budding", bloomBudding), ("flourishing", bloomFlourish)]
    if let seedlingID { members.append(("seedling", seedlingID)) }
    return JSON.object(members.map { JSON.Member($0.0, .string($0.1)) }).compactText
  }

  /// - Returns: `nil` if the text is not such a form.
  init?(draftText: String) {
    guard let form = try? JSON(draftText), let twig = form["twig"]?.text.flatMap(Node.init(id:)) else { return nil }
    func text(_ name: String) -> String { form[name]?.text ?? "" }
    self.init(twig: twig, leaf: form["leaf"]?.text.map { .existing(id: $0) } ?? .new(name: text("newLeaf")))
    title = text("title")
    season = Season(rawValue: text("season")) ?? season
    environment = Environment(rawValue: text("ground")) ?? environment
    (bloomWither, bloomBudding, bloomFlourish) = (text("withering"), text("budding"), text("flourishing"))
    seedlingID = form["seedling"]?.text
  }
}
