import EventStore

/// Why a sync failed.
public enum SyncProblem: Error, Sendable, Equatable {
  case service(ServiceFailure)
  case vault(VaultFailure)
  /// The local file could not be read or written.
  case store(StoreError)
  /// Another program has started a full download, which makes this program's download invalid.
  case otherDownload
  /// Events left the log during each of several full downloads.
  case outdatedDownload
}

extension SyncProblem {
  /// A short name for logs and reports. It never contains journal text.
  public var code: String {
    switch self {
    case .service(let failure): failure.code
    case .vault(let failure): failure.code
    case .store(let failure): failure.code
    case .otherDownload: "other_download"
    case .outdatedDownload: "outdated_download"
    }
  }

  /// The pause that the service asks for, in seconds.
  var retryAfter: Int64? {
    if case .service(.unavailable(_, _, let seconds)) = self { seconds } else { nil }
  }

  /// Whether no response arrived. Another request now would wait just as long and fail too.
  public var isUnanswered: Bool { if case .service(let failure) = self { failure.isUnanswered } else { false } }

  /// Whether a later attempt may succeed without any change.
  public var isTransient: Bool {
    switch self {
    case .service(let failure): failure.isTransient
    // At login the keyring may start later than this program.
    case .vault(.noAnswer), .vault(.noService), .store(.busy), .otherDownload, .outdatedDownload: true
    case .vault, .store: false
    }
  }
}

extension VaultFailure {
  fileprivate var code: String {
    switch self {
    case .locked: "keyring_locked"
    case .noService: "keyring_missing"
    case .noCollection: "keyring_empty"
    case .noAnswer: "keyring_silent"
    case .denied: "keyring_denied"
    case .other: "keyring_failed"
    }
  }
}

extension StoreError {
  fileprivate var code: String {
    switch self {
    case .busy: "store_busy"
    case .diskFull: "disk_full"
    case .notWritable: "not_writable"
    case .newerVersion: "newer_version"
    case .damaged, .damagedAndInUse: "damaged"
    case .moved: "moved"
    case .copyNotVerified: "copy_not_verified"
    case .otherServer: "other_server"
    case .otherAccount: "other_account"
    default: "store_failed"
    }
  }
}
