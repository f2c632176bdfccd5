import Glibc
import GtkKit
import Localization
import TrunkApp
import TrunkModel

if CommandLine.arguments.dropFirst().contains("--version") {
  print("Trunk", Release.version)
  exit(0)
}
Memory.mergeFreedBlocksAtOnce()
setUpLocalization()
guard MainQueue.attach() else {
  printError("the main loop of this system can't run asynchronous work")
  exit(EX_SOFTWARE)
}
exit(Application().run(arguments: CommandLine.arguments))
