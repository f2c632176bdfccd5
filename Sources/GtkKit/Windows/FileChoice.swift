import CGtk

/// The kind of file to ask for.
public enum FileChoice: Sendable {
  /// An existing file.
  case open
  /// The location of a new file with this name.
  case save(name: String)
  /// An existing folder.
  case folder
}

/// Asks for a file or a folder with the desktop's own dialog.
/// - Parameters:
///   - accept: the text of the button that confirms the choice.
/// - Returns: its path, the URI if it is not on this computer, `nil` if nothing was chosen.
@MainActor public func chooseFile(
  _ choice: FileChoice, over window: Widget, title: String, accept: String
) async -> String? {
  let dialog = Reference(
    adopting: gtk_file_chooser_native_new(title, window.cast(), choice.action, withoutMnemonic(accept), nil))
  let chooser = dialog.object
  gtk_native_dialog_set_modal(chooser.cast(), 1)
  switch choice {
  case .save(let name): gtk_file_chooser_set_current_name(chooser, name)
  case .open, .folder: break
  }
  let isChosen = await withCheckedContinuation { continuation in
    var waiting: CheckedContinuation<Bool, Never>? = continuation
    chooser.onPosition("response") { response in
      waiting?.resume(returning: response == Int(UInt32(bitPattern: GTK_RESPONSE_ACCEPT.rawValue)))
      waiting = nil
    }
    gtk_native_dialog_show(chooser.cast())
  }
  // Keep the dialog alive until here: releasing it closes it.
  return withExtendedLifetime(dialog) {
    guard isChosen, let file = gtk_file_chooser_get_file(chooser) else { return nil }
    defer { g_object_unref(file.address) }
    guard let text = g_file_get_path(file) ?? g_file_get_uri(file) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }
}

extension FileChoice {
  fileprivate var action: GtkFileChooserAction {
    switch self {
    case .open: GTK_FILE_CHOOSER_ACTION_OPEN
    case .save: GTK_FILE_CHOOSER_ACTION_SAVE
    case .folder: GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
    }
  }
}

/// The path of a file on this computer.
/// - Returns: `nil` if the address names something else, such as a file of a server.
public func localPath(ofAddress address: String) -> String? {
  guard let path = g_filename_from_uri(address, nil, nil) else { return nil }
  defer { g_free(path) }
  return String(cString: path)
}
