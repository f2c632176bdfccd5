import Glibc
import GtkKit

/// Prints a message on standard error, for errors without a window to show them in.
public func printError(_ message: String) {
  let line = "trunk: \(message)\n"
  // If this fails, the error can't be reported anywhere.
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
