import CGtk

/// The application as the desktop sees it (`AdwApplication`): one instance runs in each desktop context.
@MainActor public final class DesktopApplication {
  /// The object that has the `app.` commands, for `addAction`, `setKeys` and `applicationWindow`.
  public let object: OpaquePointer

  private let reference: Reference

  /// - Parameter id: of the desktop entry, which is also the bus name and the name of the icon.
  public init(id: String) {
    object = adw_application_new(id, G_APPLICATION_HANDLES_OPEN).cast()
    reference = Reference(adopting: object)
    // The display is open by then.
    object.on("startup") { gtk_window_set_default_icon_name(id) }
  }

  /// Runs until the last window is closed or `quit`, and returns the exit code.
  public func run(arguments: [String]) -> Int32 {
    var copies: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) }
    defer { copies.forEach { g_free($0) } }
    return g_application_run(object.cast(), Int32(copies.count), &copies)
  }

  /// Describes the arguments in the help of the command line, such as `[file]`.
  public func describe(arguments: String) {
    g_application_set_option_context_parameter_string(object.cast(), arguments)
  }

  /// Lists an option in the help of the command line. `main` handles it before the application runs.
  /// - Parameter name: without the dashes.
  public func describe(option name: String, _ description: String) {
    g_application_add_main_option(object.cast(), name, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, description, nil)
  }

  /// Adds an option of the command line that invokes a command instead of activating the application. If the program is
  /// already running, the command runs there, and this process ends.
  /// - Parameters:
  ///   - name: without the dashes.
  ///   - command: a command without a target, without `app.`. It must exist after `startup`.
  public func addOption(_ name: String, _ description: String, command: String) {
    describe(option: name, description)
    object.onOptions { [object] options in
      // A failed registration is tried again and reported by the default handler. `g_application_run` must be the one
      // that unregisters, so the process that passes the command on doesn't end before it returns.
      guard g_variant_dict_contains(options, name) != 0, g_application_register(object.cast(), nil, nil) != 0 else {
        return -1
      }
      g_action_group_activate_action(object, command, nil)
      return 0
    }
  }

  /// Keeps the application running without a window. Each call needs one call of `release`.
  public func hold() { g_application_hold(object.cast()) }

  public func release() { g_application_release(object.cast()) }

  /// Ends `run`, without closing the windows first.
  public func quit() { g_application_quit(object.cast()) }

  /// The window that the user last used.
  public var activeWindow: Widget? { gtk_application_get_active_window(object.cast())?.cast() }
}
