extension GardenModel {
  /// The user's name: that of the account or, if there is none, that in the preferences of this computer. It may be
  /// empty.
  public func userName(_ settings: Settings) -> String { profile[.name]?.text ?? settings.name }
}
