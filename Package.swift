// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
// Headers newer than those of Debian 12 mark what later versions of GTK drop: that must not stop the build.
let strictWithGtk: [SwiftSetting] = strict + [.treatWarning("DeprecatedDeclaration", as: .warning)]

let package = Package(
  name: "trunk",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    // C libraries from the system: bare includes, see each shim.h.
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CGettext"),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
    .systemLibrary(name: "CSoup", pkgConfig: "libsoup-3.0", providers: [.apt(["libsoup-3.0-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),

    // Our own C, kept small.
    .target(name: "CCurlShim", dependencies: ["CCurl"]),
    .target(name: "CResources"),
    .target(name: "CShim", dependencies: ["CGtk"]),

    .target(name: "Localization", dependencies: ["CGettext"], swiftSettings: strict),
    .target(name: "Garden", swiftSettings: strict),
    .target(name: "Storage", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(
      name: "GardenStore", dependencies: ["Garden", "Localization", "Storage", "CSQLite", "COpenSSL"],
      swiftSettings: strict),
    .target(name: "Transport", dependencies: ["CCurlShim", "CSoup"], swiftSettings: strict),
    .target(name: "Sync", dependencies: ["Garden", "GardenStore"], swiftSettings: strict),
    .target(
      name: "Services", dependencies: ["Garden", "GardenStore", "Sync", "Transport"], swiftSettings: strict),
    .target(name: "Keyring", dependencies: ["CSecret", "Garden", "Sync"], swiftSettings: strict),
    .target(
      name: "Gardening",
      dependencies: [
        "Garden", "GardenStore", "Storage", "Sync", "Services", "Keyring", "Transport", "Localization", "CResources",
        "CGLib",
      ],
      swiftSettings: strict),
    .target(name: "GtkKit", dependencies: ["CGtk", "CResources", "CShim"], swiftSettings: strictWithGtk),
    .target(
      name: "TrunkApp", dependencies: ["Gardening", "Sync", "GtkKit", "Localization"],
      swiftSettings: strictWithGtk + [.defaultIsolation(MainActor.self)]),
    .executableTarget(
      name: "trunk", dependencies: ["Gardening", "GtkKit", "Localization", "TrunkApp"], swiftSettings: strictWithGtk),
    .executableTarget(
      name: "trunkctl",
      dependencies: [
        "Gardening", "Sync", "Localization", "CGLib",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    // The service that gardens can be synced through. Not part of the app, and the app not of it.
    .target(
      name: "TrunkServer",
      dependencies: [
        "Garden", "Storage", "CCrypt", "CCurlShim", "CGLib",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "trunk-server",
      dependencies: ["Storage", "TrunkServer", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),

    .executableTarget(
      name: "trunk-bench", dependencies: ["Garden", "Gardening"], path: "Benchmarks/trunk-bench",
      swiftSettings: strict),
    .executableTarget(
      name: "sync-bench", dependencies: ["Garden", "GardenStore", "Services", "Sync", "Transport"],
      path: "Benchmarks/sync-bench", swiftSettings: strict),

    // Run by GardenStoreTests only: writes until it is killed.
    .executableTarget(
      name: "store-writer", dependencies: ["Garden", "GardenStore", "Gardening"], path: "Tests/Support/StoreWriter",
      swiftSettings: strict),
    // Starts the built server for tests that need one.
    .target(
      name: "ServerProcess", dependencies: ["Garden"], path: "Tests/Support/ServerProcess", swiftSettings: strict),
    .testTarget(
      name: "TrunkServerTests", dependencies: ["Garden", "ServerProcess", "Storage", "TrunkServer", "trunk-server"],
      swiftSettings: strict),
    .testTarget(
      name: "GardenStoreTests", dependencies: ["FolderChanges", "GardenStore", "Storage", "store-writer"],
      swiftSettings: strict),
    // Tells when a program writes to the files of a folder.
    .target(name: "FolderChanges", path: "Tests/Support/FolderChanges", swiftSettings: strict),
    // A server for tests that answers as it is told, and a proxy that loses, cuts and delays.
    .target(name: "FaultServer", dependencies: ["CGLib"], path: "Tests/Support/FaultServer", swiftSettings: strict),
    .testTarget(
      name: "TransportTests", dependencies: ["FaultServer", "PrivateBus", "Transport", "desktop-probe"],
      swiftSettings: strict),
    // A clock, dice and other things that tests of syncing go by.
    .target(
      name: "SyncSupport", dependencies: ["Garden", "Services", "Sync", "Transport"], path: "Tests/Support/SyncSupport",
      swiftSettings: strict),
    .testTarget(
      name: "SyncTests", dependencies: ["Garden", "GardenStore", "Storage", "Sync", "SyncSupport"],
      swiftSettings: strict),
    // One program of several on a computer: syncs, and may be killed.
    .executableTarget(
      name: "sync-device", dependencies: ["Garden", "GardenStore", "Sync", "SyncSupport"],
      path: "Tests/Support/SyncDevice", swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "FaultServer", "FolderChanges", "Garden", "GardenStore", "ServerProcess", "Services", "Storage", "Sync",
        "SyncSupport", "TrunkServer", "sync-device", "trunk-server",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ServicesTests",
      dependencies: [
        "FaultServer", "Garden", "GardenStore", "ServerProcess", "Services", "Sync", "Transport", "trunk-server",
      ],
      swiftSettings: strict),
    // A message bus of a test's own with services that behave badly, and a program that uses them.
    .target(
      name: "PrivateBus", path: "Tests/Support/PrivateBus", exclude: ["fake-login", "fake-secrets"],
      swiftSettings: strict),
    .executableTarget(
      name: "desktop-probe", dependencies: ["Keyring", "Sync", "Transport"], path: "Tests/Support/DesktopProbe",
      swiftSettings: strict),
    .testTarget(name: "KeyringTests", dependencies: ["PrivateBus", "desktop-probe"], swiftSettings: strict),
    .testTarget(name: "GtkKitTests", dependencies: ["GtkKit"], swiftSettings: strictWithGtk),
    .testTarget(
      name: "TrunkAppTests", dependencies: ["TrunkApp", "Garden", "GardenStore", "Gardening", "GtkKit", "Sync"],
      swiftSettings: strictWithGtk),
    .testTarget(
      name: "GardeningTests", dependencies: ["Garden", "GardenStore", "Gardening", "Sync", "SyncSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TrunkctlTests", dependencies: ["Conformance", "Garden", "GardenStore", "Gardening", "Sync", "trunkctl"],
      swiftSettings: strict),
    .testTarget(name: "LocalizationTests", dependencies: ["Localization", "trunkctl"], swiftSettings: strict),
    // Logs with the gardens that another implementation derived from them.
    .target(
      name: "Conformance", dependencies: ["Garden"], path: "Tests/Support/Conformance", exclude: ["logs"],
      swiftSettings: strict),
    .testTarget(name: "GardenTests", dependencies: ["Conformance", "Garden", "Gardening"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// Tests/Fuzz/run alone builds this, with a sanitizer that brings the program's main function.
if Context.environment["TRUNK_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Garden", "GardenStore", "Services", "Storage", "Sync", "Transport", "TrunkServer",
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      path: "Tests/Fuzz", exclude: ["dictionary", "run", "seeds"], swiftSettings: strict))
}
