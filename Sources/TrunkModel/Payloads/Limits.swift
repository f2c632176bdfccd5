/// The maximum lengths of texts in characters as the user sees them. Forms and `GardenModel.commit` enforce them; reading
/// never does.
public enum Limits {
  public static let title = 60
  public static let leafName = 40
  public static let bloom = 60
  public static let seedlingTitle = 60
  public static let seedlingNotes = 200
  public static let nodeLabel = 40
  public static let nodeNote = 2000
  public static let journal = 2000
}
