import EventStore
import TrunkModel

extension GardenModel {
  /// The place on disk of one plant form, until it is planted.
  ///
  /// Every form has its own slot, so that undoing a planting can't overwrite a newer form.
  public struct PlantFormSlot: Sendable, Equatable {
    let key: DraftKey

    /// Creates a new slot.
    /// - Parameter origin: where the form was opened: the id of a seedling, a leaf or a twig; empty for the command.
    public init(origin: String) {
      key = DraftKey(kind: Self.kind, entity: origin + Self.separator + GardenModel.newID("form"), day: "")
    }

    /// - Parameter id: the `id` of a slot.
    public init?(id: String) { self.init(DraftKey(kind: Self.kind, entity: id, day: "")) }

    /// It begins with the origin.
    public var id: String { key.entity }

    /// Where the form was opened.
    public var origin: String { Self.origin(of: key) ?? "" }

    /// - Returns: `nil` if it is the key of something else.
    init?(_ key: DraftKey) {
      guard Self.origin(of: key) != nil else { return nil }
      self.key = key
    }

    /// Where the form with this key was opened; `nil` if it is the key of something else.
    static func origin(of key: DraftKey) -> String? {
      guard key.kind == kind, let end = key.entity.lastIndex(of: Character(separator)) else { return nil }
      return String(key.entity[..<end])
    }

    private static let kind = DraftKey.plantForm
    private static let separator = "#"
  }

  /// The newest unplanted form of this origin; `nil` if there is none.
  public func unfinishedPlantForm(from origin: String) async throws -> (slot: PlantFormSlot, form: PlantForm)? {
    for draft in try await store.drafts() where PlantFormSlot.origin(of: draft.key) == origin {
      if let slot = PlantFormSlot(draft.key), let form = PlantForm(draftText: draft.text) { return (slot, form) }
    }
    return nil
  }

  /// The form in a slot; `nil` if there is none.
  public func unfinishedPlantForm(in slot: PlantFormSlot) async throws -> PlantForm? {
    try await store.draft(for: slot.key).flatMap { PlantForm(draftText: $0.text) }
  }
}

extension GardenModel.PlantForm {
  /// The form as JSON; equal forms give equal texts.
  var draftText: String {
    var members = [("title", title), ("season", season.rawValue), ("ground", ground.rawValue)]
    if let twig { members.insert(("twig", twig.id), at: 0) }
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
    guard let form = try? JSON(draftText), form["title"]?.text != nil else { return nil }
    func text(_ name: String) -> String { form[name]?.text ?? "" }
    let twig = form["twig"]?.text.map(Node.init(id:))
    // A form whose place this version doesn't know stays in its slot.
    if case .some(nil) = twig { return nil }
    self.init(twig: twig ?? nil, leaf: form["leaf"]?.text.map { .existing(id: $0) } ?? .new(name: text("newLeaf")))
    title = text("title")
    season = Season(rawValue: text("season")) ?? season
    ground = Ground(rawValue: text("ground")) ?? ground
    (bloomWither, bloomBudding, bloomFlourish) = (text("withering"), text("budding"), text("flourishing"))
    seedlingID = form["seedling"]?.text
  }
}
