import Glibc
import GtkKit
import Localization
import TrunkApp

setUpLocalization()
guard MainQueue.attach() else {
  let message = "trunk: the main loop of this system can't run asynchronous work\n"
  // There is no one else to tell when even this cannot be written.
  _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(EX_SOFTWARE)
}
exit(Application().run(arguments: CommandLine.arguments))
