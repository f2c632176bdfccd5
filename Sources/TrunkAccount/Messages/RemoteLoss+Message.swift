import EventStore
import Localization

extension RemoteLoss {
  /// How many entries the server lacks.
  public var sentence: String {
    trn(
      "The server has {server} entries, this computer {local}: {n} entry is missing on the server.",
      "The server has {server} entries, this computer {local}: {n} entries are missing on the server.", missing,
      ["server": localized(server), "local": localized(local)])
  }
}
