import EventStore
import TrunkModel

extension GardenModel {
  /// The place on disk of one plant form, until it is planted.
  ///
  /// Every form has its own slot, so that undoing a planting can't overwrite a newer form.
  public struct PlantingSlot: Sendable, Equatable {
    let key: DraftKey

    /// Creates a new slot.
    /// - Parameter origin: where the form was opened: the id of a seedling, a leaf or a twig; empty for the command.
    public init(origin: String) {
      key = DraftKey(kind: Self.kind, entity: origin + Self.separator + GardenModel.newID("form"), day: "")
    }

    fileprivate init?(_ key: DraftKey, origin: String) {
      guard Self.origin(of: key) == origin else { return nil }
      self.key = key
    }

    /// Where the form with this key was opened; `nil` if it is the key of something else.
    static func origin(of key: DraftKey) -> String? {
      guard key.kind == kind, let end = key.entity.lastIndex(of: Character(separator)) else { return nil }
      return String(key.entity[..<end])
    }

    private static let kind = "plant"
    private static let separator = "#"
  }

  /// The newest unplanted form of this origin; `nil` if there is none.
  public func begunPlanting(from origin: String) async throws -> (slot: PlantingSlot, planting: Planting)? {
    for draft in try await store.drafts() {
      if let slot = PlantingSlot(draft.key, origin: origin), let planting = Planting(draftText: draft.text) {
        return (slot, planting)
      }
    }
    return nil
  }

  /// Saves the form on disk; `nil` removes it.
  public func keepDraft(_ planting: Planting?, in slot: PlantingSlot) async throws {
    defer { draftRevision += 1 }
    guard let planting else { return try await store.removeDraft(for: slot.key) }
    try await store.save(Draft(key: slot.key, text: planting.draftText, updated: clock.now()))
  }
}

extension GardenModel.Planting {
  /// The form as JSON; equal forms give equal texts.
  var draftText: String {
    var members = [("twig", twig.id), ("title", title), ("season", season.rawValue), ("ground", ground.rawValue)]
    switch leaf {
    case .existing(let id): members.append(("leaf", id))
    case .new(let name): members.append(("newLeaf", name))
    }
    members += [("withering", bloomWither), ("budding", bloomBudding), ("flourishing", bloomFlourish)]
    if let seedlingID { members.append(("seedling", seedlingID)) }
    return JSON.object(members.map { JSON.Member($0.0, .string($0.1)) }).compactText
  }

  /// - Returns: `nil` if the text isn't a valid form. It stays in its slot; new forms get other slots.
  init?(draftText: String) {
    guard let form = try? JSON(draftText), let twig = form["twig"]?.text.flatMap(Node.init(id:)) else { return nil }
    func text(_ name: String) -> String { form[name]?.text ?? "" }
    self.init(twig: twig, leaf: form["leaf"]?.text.map { .existing(id: $0) } ?? .new(name: text("newLeaf")))
    title = text("title")
    season = Season(rawValue: text("season")) ?? season
    ground = Ground(rawValue: text("ground")) ?? ground
    (bloomWither, bloomBudding, bloomFlourish) = (text("withering"), text("budding"), text("flourishing"))
    seedlingID = form["seedling"]?.text
  }
}
