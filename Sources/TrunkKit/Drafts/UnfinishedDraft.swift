import EventStore
import TrunkModel

/// A text or a form that the user has begun and not finished.
public struct UnfinishedDraft: Sendable, Equatable, Identifiable {
  public enum Subject: Sendable, Equatable {
    case water(sproutID: String)
    case harvest(sproutID: String)
    case sun
    case seedling
    case plant(GardenModel.PlantForm)
  }

  public let subject: Subject
  /// What was written; empty for a plant form.
  public let text: String
  public let updated: Instant
  let draft: Draft

  public var key: DraftKey { draft.key }
  public var id: String { key.kind + " " + key.entity }

  /// The sprout that it is about; `nil` if it isn't about one.
  public var sproutID: String? {
    switch subject {
    case .water(let sproutID), .harvest(let sproutID): sproutID
    case .sun, .seedling, .plant: nil
    }
  }

  /// - Returns: `nil` if the draft has another form, or can't be read.
  fileprivate init?(_ draft: Draft) {
    (self.draft, updated) = (draft, draft.updated)
    let content = DraftContent(draft)
    var text = draft.text.trimmed.isEmpty ? "" : draft.text
    switch GardenModel.DraftForm(rawValue: draft.key.kind) {
    case .water: subject = .water(sproutID: draft.key.entity)
    case .harvest: subject = .harvest(sproutID: draft.key.entity)
    case .sun: subject = .sun
    case .seedling:
      subject = .seedling
      text = ["title", "notes"].compactMap { content.fields[$0] }.filter { !$0.trimmed.isEmpty }.joined(separator: "\n")
    case .plant:
      guard let form = content.plantForm else { return nil }
      (subject, text) = (.plant(form), "")
    // They are in their forms again as soon as the same thing is edited.
    case .node, .seedlingEdit, .sproutEdit, nil: return nil
    }
    self.text = text
  }
}

extension GardenModel {
  /// The unfinished drafts, newest first. Until the whole garden is downloaded, texts about sprouts that it lacks are
  /// left out.
  public func unfinishedDrafts() async throws -> [UnfinishedDraft] {
    try await store.drafts().compactMap(UnfinishedDraft.init).filter { unfinished in
      guard let id = unfinished.sproutID else { return true }
      // A chosen result without words is nothing to read once the sprout has ended.
      let sprout = garden.sprout(id: id)
      return unfinished.text.isEmpty ? sprout?.isActive == true : sprout != nil || !awaitsInitialSync
    }
  }

  /// Checks whether a draft can be finished now.
  /// - Throws: the reason why not.
  public func checkContinuing(_ draft: UnfinishedDraft) throws {
    switch draft.subject {
    case .water(let sproutID): try checkWatering(sproutID)
    case .harvest(let sproutID): try checkHarvesting(sproutID)
    case .sun: try checkShining()
    case .seedling, .plant: break
    }
  }

  /// Removes a draft; `bringBack` undoes it.
  /// - Returns: `false` if another program has changed its text, which stays.
  @discardableResult
  public func discard(_ draft: UnfinishedDraft) async throws -> Bool {
    defer { draftRevision += 1 }
    return try await store.removeDraft(draft.draft)
  }

  /// Saves a discarded draft again, in front of any text that was written in the same form since.
  public func bringBack(_ draft: UnfinishedDraft) async throws {
    try await store.restoreDraft(draft.draft)
    draftRevision += 1
  }
}
