import Glibc
import GtkKit
import Localization
import TrunkApp

Memory.joinFreedPiecesAtOnce()
setUpLocalization()
guard MainQueue.attach() else {
  complain("the main loop of this system can't run asynchronous work")
  exit(EX_SOFTWARE)
}
exit(Application().run(arguments: CommandLine.arguments))
