// swift-tools-version: 6.2
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
// Headers newer than those of Debian 12 deprecate functions of GTK. That must not stop the build.
let strictWithGtk: [SwiftSetting] = strict + [.treatWarning("DeprecatedDeclaration", as: .warning)]

// The archive that `make source-archive` makes contains the packages. packaging/packages has the same versions, and
// those of the packages that these need.
let isArchive = FileManager.default.fileExists(atPath: Context.packageDirectory + "/vendor")

let package = Package(
  name: "trunk",
  dependencies: isArchive
    ? [
      .package(path: "vendor/swift-argument-parser"),
      .package(path: "vendor/swift-log"),
      .package(path: "vendor/swift-metrics"),
      .package(path: "vendor/swift-nio"),
    ]
    : [
      .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
      .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
      .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
      .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
  targets: [
    // C libraries from the system: bare includes, see each shim.h.
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CGio", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CGettext"),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CEnchant", pkgConfig: "enchant-2", providers: [.apt(["libenchant-2-dev"])]),
    .systemLibrary(name: "CMinizip", pkgConfig: "minizip", providers: [.apt(["libminizip-dev"])]),
    .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
    .systemLibrary(name: "CSoup", pkgConfig: "libsoup-3.0", providers: [.apt(["libsoup-3.0-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),

    // Our own C, kept small.
    .target(name: "CCurlShim", dependencies: ["CCurl"]),
    .target(name: "CResources"),
    .target(name: "CShim", dependencies: ["CGtk"]),

    .target(name: "Localization", dependencies: ["CGettext"], swiftSettings: strict),
    .target(name: "TrunkModel", swiftSettings: strict),
    .target(name: "SQLiteKit", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(
      name: "EventStore", dependencies: ["TrunkModel", "Localization", "SQLiteKit", "CSQLite", "COpenSSL"],
      swiftSettings: strict),
    .target(
      name: "TrunkKit",
      dependencies: [
        "TrunkModel", "EventStore", "PageFormats", "SQLiteKit", "Localization", "CResources", "CGLib", "TreePicture",
        "VectorGraphics",
      ],
      swiftSettings: strict),
    // Journals that other programs exported.
    .target(
      name: "PageFormats", dependencies: ["TrunkModel", "Localization", "CMinizip", "CYAML"], swiftSettings: strict),
    // How addresses are cleaned and compared, by the app and the server.
    .target(name: "MailKit", dependencies: ["CGLib"], swiftSettings: strict),
    .target(
      name: "SyncEngine", dependencies: ["TrunkModel", "EventStore", "MailKit", "SQLiteKit"], swiftSettings: strict),
    .target(
      name: "SyncBackends",
      dependencies: ["TrunkModel", "EventStore", "SyncEngine", "CCurlShim", "CSecret", "CSoup"],
      swiftSettings: strict),
    .target(
      name: "TrunkAccount",
      dependencies: [
        "TrunkModel", "EventStore", "TrunkKit", "SyncEngine", "SyncBackends", "SQLiteKit", "Localization", "CGLib",
        "MailKit",
      ],
      swiftSettings: strict),
    // A garden of several years, for `trunkctl demo`, benchmarks and screenshots.
    .target(
      name: "TrunkDemo", dependencies: ["TrunkModel", "TrunkKit"], path: "Tools/TrunkDemo", swiftSettings: strict),
    // Pictures and pages, drawn with cairo and Pango, without a window.
    .target(name: "VectorGraphics", swiftSettings: strict),
    .target(name: "TreePicture", dependencies: ["TrunkModel", "VectorGraphics"], swiftSettings: strict),
    .target(name: "CairoKit", dependencies: ["CPango", "VectorGraphics"], swiftSettings: strict),
    // The journal as pages of a book, and the tree with its names.
    .target(
      name: "TrunkPrint",
      dependencies: ["CairoKit", "Localization", "TreePicture", "TrunkKit", "TrunkModel", "VectorGraphics"],
      swiftSettings: strict),
    // Spell checking, loaded with the first text.
    .target(name: "SpellKit", dependencies: ["CEnchant"], swiftSettings: strict),
    .target(
      name: "GtkKit", dependencies: ["VectorGraphics", "CGtk", "CResources", "CShim", "SpellKit"],
      swiftSettings: strictWithGtk),
    .target(
      name: "TrunkApp",
      dependencies: [
        "TrunkAccount", "TrunkKit", "TrunkPrint", "TrunkModel", "EventStore", "SyncEngine", "GtkKit", "CairoKit",
        "PageFormats", "SpellKit", "TreePicture", "VectorGraphics", "Localization",
      ],
      swiftSettings: strictWithGtk + [.defaultIsolation(MainActor.self)]),
    .executableTarget(
      name: "trunk", dependencies: ["TrunkApp", "TrunkModel", "GtkKit", "Localization"],
      swiftSettings: strictWithGtk),
    .executableTarget(
      name: "trunkctl",
      dependencies: [
        "CairoKit", "SpellKit", "TreePicture", "TrunkAccount", "TrunkDemo", "TrunkKit", "TrunkModel", "TrunkPrint",
        "EventStore", "PageFormats", "SyncEngine", "Localization", "CGLib",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    // Answers the desktop's search. It links neither the network nor the keyring nor GTK.
    .executableTarget(
      name: "trunk-search", dependencies: ["TrunkKit", "TrunkModel", "Localization", "CGio"], swiftSettings: strict),

    // The sync service. It shares TrunkModel, SQLiteKit, and thin layers over libcurl and GLib with the app.
    .target(
      name: "TrunkServer",
      dependencies: [
        "TrunkModel", "SQLiteKit", "CCrypt", "CCurlShim", "CGLib", "MailKit",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "trunk-server",
      dependencies: [
        "SQLiteKit", "TrunkModel", "TrunkServer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "trunk-bench",
      dependencies: ["CairoKit", "PageFormats", "SpellKit", "TreePicture", "TrunkPrint", "TrunkModel", "TrunkKit"],
      path: "Benchmarks/trunk-bench",
      swiftSettings: strict),
    .executableTarget(
      name: "sync-bench", dependencies: ["TrunkModel", "EventStore", "SyncBackends", "SyncEngine"],
      path: "Benchmarks/sync-bench", swiftSettings: strict),

    // Only for EventStoreTests: writes until it is killed.
    .executableTarget(
      name: "store-writer", dependencies: ["EventStore", "TrunkKit", "TrunkModel"], path: "Tests/Support/StoreWriter",
      swiftSettings: strict),
    // Starts the built server for tests that need one.
    .target(
      name: "ServerProcess", dependencies: ["TemporaryFolders", "TrunkModel"], path: "Tests/Support/ServerProcess",
      swiftSettings: strict),
    .testTarget(
      name: "TrunkServerTests",
      dependencies: [
        "ServerProcess", "SQLiteKit", "TemporaryFolders", "TestSupport", "trunk-server", "TrunkModel", "TrunkServer",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EventStoreTests",
      dependencies: [
        "EventStore", "FolderChanges", "SQLiteKit", "store-writer", "TemporaryFolders", "TestSupport", "TrunkModel",
      ],
      swiftSettings: strict),
    // Folders for temporary files, which are removed after the test.
    .target(name: "TemporaryFolders", path: "Tests/Support/TemporaryFolders", swiftSettings: strict),
    // Reports when a program writes to the files of a folder.
    .target(name: "FolderChanges", path: "Tests/Support/FolderChanges", swiftSettings: strict),
    // A server with scripted responses, and a proxy that loses, truncates and delays them.
    .target(name: "FaultServer", dependencies: ["CGLib"], path: "Tests/Support/FaultServer", swiftSettings: strict),
    // Clocks, seeded random numbers and fixtures that tests share.
    .target(
      name: "TestSupport",
      dependencies: ["EventStore", "SyncBackends", "SyncEngine", "TemporaryFolders", "TrunkKit", "TrunkModel"],
      path: "Tests/Support/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "SyncEngineTests",
      dependencies: ["EventStore", "SQLiteKit", "SyncEngine", "TemporaryFolders", "TestSupport", "TrunkModel"],
      swiftSettings: strict),
    // Only for ScenarioTests: one of several programs that sync on a computer and may be killed.
    .executableTarget(
      name: "sync-device", dependencies: ["EventStore", "SyncEngine", "TestSupport", "TrunkModel"],
      path: "Tests/Support/SyncDevice", swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "EventStore", "FaultServer", "FolderChanges", "ServerProcess", "SQLiteKit", "sync-device", "SyncBackends",
        "SyncEngine", "TemporaryFolders", "TestSupport", "trunk-server", "TrunkModel", "TrunkServer",
      ],
      swiftSettings: strict),
    // A separate message bus for a test, with services that fail, and a program that uses them.
    .target(
      name: "PrivateBus", dependencies: ["TemporaryFolders"], path: "Tests/Support/PrivateBus",
      exclude: ["fake-login", "fake-secrets"],
      swiftSettings: strict),
    .executableTarget(
      name: "desktop-probe", dependencies: ["SyncBackends", "SyncEngine"], path: "Tests/Support/DesktopProbe",
      swiftSettings: strict),
    .testTarget(
      name: "PageFormatsTests", dependencies: ["PageFormats", "TemporaryFolders", "TrunkModel"], exclude: ["samples"],
      swiftSettings: strict),
    .testTarget(name: "MailKitTests", dependencies: ["MailKit"], swiftSettings: strict),
    .testTarget(name: "CairoKitTests", dependencies: ["CairoKit", "CPango", "VectorGraphics"], swiftSettings: strict),
    .testTarget(
      name: "TreePictureTests",
      dependencies: [
        "CairoKit", "CPango", "TestSupport", "TreePicture", "TrunkDemo", "TrunkModel", "VectorGraphics",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "TrunkPrintTests",
      dependencies: [
        "CairoKit", "TemporaryFolders", "TestSupport", "TreePicture", "TrunkDemo", "TrunkKit", "TrunkModel",
        "TrunkPrint", "VectorGraphics",
      ],
      swiftSettings: strict),
    .testTarget(name: "SQLiteKitTests", dependencies: ["SQLiteKit", "TemporaryFolders"], swiftSettings: strict),
    .testTarget(name: "VectorGraphicsTests", dependencies: ["VectorGraphics"], swiftSettings: strict),
    .testTarget(name: "SpellKitTests", dependencies: ["SpellKit"], swiftSettings: strict),
    // A main loop, windows and clicks for the tests of widgets.
    .target(
      name: "WidgetTestSupport", dependencies: ["CGtk", "GtkKit"], path: "Tests/Support/WidgetTestSupport",
      swiftSettings: strictWithGtk),
    // An input method that composes what a test tells it to.
    .target(name: "FakeInputMethod", dependencies: ["CGtk"], path: "Tests/Support/FakeInputMethod"),
    .testTarget(
      name: "GtkKitTests",
      dependencies: ["CGtk", "CShim", "FakeInputMethod", "GtkKit", "SpellKit", "WidgetTestSupport"],
      swiftSettings: strictWithGtk),
    .testTarget(
      name: "TrunkAppTests",
      dependencies: [
        "CGtk", "EventStore", "FakeInputMethod", "GtkKit", "SQLiteKit", "SyncEngine", "TreePicture", "TrunkAccount",
        "TrunkApp", "TrunkKit", "TrunkModel", "VectorGraphics", "WidgetTestSupport",
      ],
      swiftSettings: strictWithGtk),
    .testTarget(
      name: "TrunkKitTests",
      dependencies: [
        "EventStore", "Localization", "TemporaryFolders", "TestSupport", "TrunkDemo", "TrunkKit", "TrunkModel",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TrunkctlTests",
      dependencies: [
        "Conformance", "EventStore", "SyncEngine", "TemporaryFolders", "TestSupport", "TrunkAccount", "trunkctl",
        "TrunkKit", "TrunkModel",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LocalizationTests", dependencies: ["Localization", "TemporaryFolders", "trunkctl"], swiftSettings: strict),
    // Logs, and the gardens that another implementation derived from them.
    .target(
      name: "Conformance", dependencies: ["TrunkModel"], path: "Tests/Support/Conformance", exclude: ["logs"],
      swiftSettings: strict),
    .testTarget(
      name: "TrunkModelTests", dependencies: ["Conformance", "TestSupport", "TreePicture", "TrunkKit", "TrunkModel"],
      swiftSettings: strict),
    .testTarget(
      name: "SyncBackendsTests",
      dependencies: [
        "desktop-probe", "EventStore", "FaultServer", "PrivateBus", "ServerProcess", "SyncBackends", "SyncEngine",
        "TemporaryFolders", "TestSupport", "trunk-server", "TrunkModel",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TrunkAccountTests",
      dependencies: [
        "EventStore", "SQLiteKit", "SyncEngine", "TemporaryFolders", "TestSupport", "TrunkAccount", "TrunkKit",
        "TrunkModel",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// Only Tests/Fuzz/run builds this, with a sanitizer that contains the main function.
if Context.environment["TRUNK_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "EventStore", "SQLiteKit", "SyncBackends", "SyncEngine", "TrunkKit", "TrunkModel", "TrunkServer",
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      path: "Tests/Fuzz", exclude: ["dictionary", "run", "seeds"], swiftSettings: strict))
}
