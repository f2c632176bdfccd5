import CSecret
import SyncEngine
import TrunkModel

extension VaultFailure {
  /// Takes ownership of the error and frees it.
  init(taking error: UnsafeMutablePointer<GError>?) {
    guard let error else {
      self = .other(detail: "no reason given")
      return
    }
    g_dbus_error_strip_remote_error(error)
    self = VaultFailure(error.pointee)
    g_error_free(error)
  }

  private init(_ error: GError) {
    self =
      switch error.domain {
      case secret_error_get_quark(): VaultFailure(secretError: error)
      case g_dbus_error_quark(): VaultFailure(busError: error)
      case g_io_error_quark(): VaultFailure(ioError: error)
      default: .other(detail: error.text)
      }
  }

  private init(secretError error: GError) {
    self =
      switch SecretError(UInt32(bitPattern: error.code)) {
      case SECRET_ERROR_IS_LOCKED: .locked
      case SECRET_ERROR_NO_SUCH_OBJECT: .noCollection
      default: .other(detail: error.text)
      }
  }

  private init(busError error: GError) {
    self =
      switch GDBusError(UInt32(bitPattern: error.code)) {
      case G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
        G_DBUS_ERROR_SPAWN_FAILED, G_DBUS_ERROR_SPAWN_CHILD_EXITED, G_DBUS_ERROR_SPAWN_EXEC_FAILED:
        .noService
      case G_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_OBJECT: .noCollection
      case G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT, G_DBUS_ERROR_DISCONNECTED: .noAnswer
      case G_DBUS_ERROR_ACCESS_DENIED, G_DBUS_ERROR_AUTH_FAILED: .denied
      default: .other(detail: error.text)
      }
  }

  private init(ioError error: GError) {
    self =
      switch GIOErrorEnum(UInt32(bitPattern: error.code)) {
      case G_IO_ERROR_CANCELLED, G_IO_ERROR_TIMED_OUT, G_IO_ERROR_CLOSED: .noAnswer
      case G_IO_ERROR_PERMISSION_DENIED: .denied
      default: .other(detail: error.text)
      }
  }
}

extension GError {
  /// The message, which is often the service's. In one line and not too long, because any program may be the service.
  fileprivate var text: String {
    let words = message.map { String(cString: $0).visibleLine.prefix(200) } ?? ""
    return words.isEmpty ? "\(code)" : String(words.last == "." ? words.dropLast() : words)
  }
}
