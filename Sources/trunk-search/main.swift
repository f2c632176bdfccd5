import CGio
import Glibc
import Localization
import TrunkKit
import TrunkModel

// The desktop starts this program when the user searches, and it ends when nothing was asked for a while.
if CommandLine.arguments.dropFirst().first == "--version" {
  print("trunk-search", Release.version)
  exit(0)
}
Program.prepare()
setUpLocalization()

func fail(_ message: String) -> Never {
  let line = "trunk-search: \(message)\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(EX_UNAVAILABLE)
}

let loop: OpaquePointer = g_main_loop_new(nil, 0)
guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else {
  fail("there is no session bus")
}
let service = SearchService(on: connection, endingWith: loop)
guard service.start() else {
  fail("the bus does not take the service")
}
g_main_loop_run(loop)
// Sends what is still waiting, such as the request to open a page.
g_dbus_connection_flush_sync(connection, nil, nil)
