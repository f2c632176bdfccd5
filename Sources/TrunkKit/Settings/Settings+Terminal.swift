extension Settings {
  /// Whether a command that writes sends at once.
  public var sendsFromTerminal: Bool { text("terminal", "send") != "false" }

  public func set(sendsFromTerminal: Bool) throws { try set("terminal", ["send": "\(sendsFromTerminal)"]) }
}
