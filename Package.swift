// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target of the package is compiled with.
///
/// Warnings are errors in `make test` (`-Xswiftc -warnings-as-errors`), not here: a program that
/// depends on the package and uses a newer compiler must not fail on a new warning.
let common: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "Cairn",
    products: [
        .library(name: "Cairn", targets: ["Cairn"])
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(
            name: "CDecimal",
            // Debian's libintelrdfpmath-dev, which has no pkg-config file.
            linkerSettings: [.linkedLibrary("bidgcc000")]),
        .target(name: "CHash"),
        .target(name: "CRuntime"),
        .target(
            name: "CairnLMDB",
            dependencies: ["CLMDB"],
            swiftSettings: common + [.strictMemorySafety()]),
        .target(name: "CairnPredicate", swiftSettings: common),
        .target(
            name: "CairnStorage",
            dependencies: ["CairnLMDB", "CHash", "CRuntime"],
            swiftSettings: common),
        .target(
            name: "CairnQuery",
            dependencies: ["CDecimal", "CairnPredicate", "CairnStorage"],
            swiftSettings: common),
        .target(
            name: "Cairn",
            dependencies: ["CDecimal", "CRuntime", "CairnPredicate", "CairnQuery", "CairnStorage"],
            swiftSettings: common),
        .testTarget(
            name: "CairnValueTests",
            dependencies: ["Cairn", "TestSupport"],
            exclude: ["Vectors/make-vectors.py"],
            resources: [.copy("Vectors/decimal.txt")],
            swiftSettings: common),
        .testTarget(
            name: "CairnQueryTests",
            dependencies: ["CairnPredicate", "CairnQuery", "CairnStorage", "TestSupport"],
            exclude: ["Scripts"],
            swiftSettings: common),
        .testTarget(
            name: "CairnTests",
            dependencies: [
                "Cairn", "CairnPredicate", "CairnStorage", "RealmChildModels", "TestSupport",
                "cairn-realm-child",
            ],
            swiftSettings: common),
        // What programs written for RealmSwift say, unchanged: their module is this one under its name.
        .testTarget(
            name: "RealmSwiftAliasTests",
            dependencies: ["Cairn"],
            swiftSettings: [.unsafeFlags(["-module-alias", "RealmSwift=Cairn"])]),
        .testTarget(
            name: "CairnPredicateTests",
            dependencies: ["CairnPredicate", "TestSupport"],
            exclude: ["Scripts"],
            swiftSettings: common),
        .testTarget(
            name: "CairnLMDBTests",
            dependencies: ["CairnLMDB"],
            swiftSettings: common),
        .testTarget(
            name: "CairnStorageTests",
            dependencies: [
                "CairnStorage", "CairnLMDB", "CLMDB", "TestSupport", "cairn-store-child", "cairn-watch-child",
            ],
            swiftSettings: common),
        .testTarget(
            name: "CairnEngineTests",
            dependencies: ["CairnStorage", "CairnLMDB", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "CairnVerifyTests",
            dependencies: ["CairnStorage", "CairnLMDB", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "CairnDurabilityTests",
            dependencies: [
                "CairnStorage", "CairnLMDB", "DurabilityWorkload", "TestSupport", "cairn-store-child",
            ],
            swiftSettings: common),
        // What several test targets need and knows nothing of Cairn.
        .target(
            name: "TestSupport",
            path: "Tests/TestSupport",
            swiftSettings: common),
        // What both processes of a durability test write and check.
        .target(
            name: "DurabilityWorkload",
            dependencies: ["CairnStorage"],
            path: "Tests/DurabilityWorkload",
            swiftSettings: common),
        .testTarget(
            name: "ExampleTests",
            dependencies: ["Cairn", "EngineTour", "MorningGlory", "SpeechDiary"],
            swiftSettings: common),
        // The other process of a test.
        .executableTarget(
            name: "cairn-store-child",
            dependencies: ["CairnStorage", "CairnLMDB", "DurabilityWorkload"],
            path: "Tests/StoreChild",
            swiftSettings: common),
        .executableTarget(
            name: "cairn-watch-child",
            dependencies: ["CairnLMDB"],
            path: "Tests/WatchChild",
            swiftSettings: common),
        // What both processes of a test of the public API store.
        .target(
            name: "RealmChildModels",
            dependencies: ["Cairn"],
            path: "Tests/RealmChildModels",
            swiftSettings: common),
        .executableTarget(
            name: "cairn-realm-child",
            dependencies: ["Cairn", "RealmChildModels"],
            path: "Tests/RealmChild",
            swiftSettings: common),
        // The example apps are compiled as an app is, without the settings above.
        .executableTarget(
            name: "SpeechDiary",
            dependencies: ["Cairn"],
            path: "Examples/SpeechDiary",
            exclude: ["make-recordings"],
            resources: [.copy("Recordings")]),
        .executableTarget(
            name: "MorningGlory",
            dependencies: ["Cairn"],
            path: "Examples/MorningGlory"),
        .executableTarget(
            name: "EngineTour",
            dependencies: ["CairnStorage"],
            path: "Examples/EngineTour",
            swiftSettings: common),
        .systemLibrary(
            name: "CSQLite",
            path: "Benchmarks/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "CairnBenchmarks",
            dependencies: ["CAllocations", "Cairn", "CairnLMDB", "CairnStorage", "CSQLite"],
            path: "Benchmarks/CairnBenchmarks",
            swiftSettings: common),
    ],
    swiftLanguageModes: [.v6]
)
