import CSQLite

public enum Y { public static let v = SQLITE_VERSION_NUMBER }
