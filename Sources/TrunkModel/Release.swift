/// The version that all programs of this project share.
public enum Release {
  public static let version = "0.1.0"
}
