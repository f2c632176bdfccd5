/// The D-Bus interfaces through which desktops search.
enum SearchInterface: String {
  /// The search interface of GNOME Shell, version 2.
  case gnome = "org.gnome.Shell.SearchProvider2"
  /// KRunner's.
  case krunner = "org.kde.krunner1"

  static let busName = "garden.trunk.trunk.Search"
  static let objectPath = "/garden/trunk/trunk/Search"

  /// Both interfaces as introspection data.
  static let xml = """
    <node>
      <interface name="org.gnome.Shell.SearchProvider2">
        <method name="GetInitialResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetSubsearchResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetResultMetas">
          <arg type="as" direction="in"/><arg type="aa{sv}" direction="out"/>
        </method>
        <method name="ActivateResult">
          <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="u" direction="in"/>
        </method>
        <method name="LaunchSearch">
          <arg type="as" direction="in"/><arg type="u" direction="in"/>
        </method>
      </interface>
      <interface name="org.kde.krunner1">
        <method name="Match">
          <arg type="s" direction="in"/><arg type="a(sssida{sv})" direction="out"/>
        </method>
        <method name="Actions"><arg type="a(sss)" direction="out"/></method>
        <method name="Run"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
      </interface>
    </node>
    """
}
