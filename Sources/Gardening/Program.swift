/// What the window and the command line say about themselves.
public enum Program {
  public static let version = "0.1.0"
}
