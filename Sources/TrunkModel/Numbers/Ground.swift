/// How hard the ground is in which a sprout grows.
public enum Ground: String, CaseIterable, Sendable {
  case fertile, firm, barren
}
