import Glibc
import GtkKit

/// Says something on standard error, for when there is no window to say it in.
public func complain(_ message: String) {
  let line = "trunk: \(message)\n"
  // There is no one else to tell when even this cannot be written.
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
