// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import CompilerPluginSupport
import PackageDescription

// Layers, lowest first; a target names only targets above it in this file.
// Sources/Lode/Lode.docc/Architecture.md draws the same picture.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["_TestSupport"], resources: resources,
        swiftSettings: settings)
}

let package = Package(
    name: "lode",
    products: [
        .library(name: "Lode", targets: ["Lode"]),
        .library(name: "CoreData", targets: ["CoreData"]),
        // For the benchmarks, which measure what the objects cost above it; no promises.
        .library(
            name: "_LodeStore",
            targets: ["Schema", "RecordFormat", "Predicates", "Store", "Query"]),
        .executable(name: "lode", targets: ["LodeTool"]),
        .plugin(name: "GenerateModelClasses", targets: ["GenerateModelClasses"]),
    ],
    targets: [
        // 0
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(name: "CSwiftRuntime"),
        library("Traps"),
        library("Schema"),
        library("CocoaErrors"),
        library("FoundationNames"),
        library("MacroExpansion"),
        library("Contents"),
        library("ModelFiles"),
        .macro(name: "LodeMacros", dependencies: ["MacroExpansion"], swiftSettings: settings),
        // 1
        library("ModelClasses", ["ModelFiles"]),
        library("LMDB", ["CLMDB", "Traps"]),
        .target(
            name: "RecordFormat", dependencies: ["Schema", "Traps"], exclude: ["FileFormat.md"],
            swiftSettings: settings),
        library("Predicates", ["Schema"]),
        library("Undo", ["Traps"]),
        library("ObjectTable", ["Schema", "CSwiftRuntime"]),
        library("Worlds", ["Contents", "Traps"]),
        // 2
        library("Store", ["LMDB", "RecordFormat", "Contents", "Schema", "Traps"]),
        // 3
        library("Query", ["Store", "Predicates", "RecordFormat", "Schema", "Traps"]),
        // 4
        library(
            "ManagedObjects",
            [
                "Query", "Store", "Predicates", "RecordFormat", "Contents", "Schema", "Undo",
                "ObjectTable", "CocoaErrors", "FoundationNames", "ModelFiles", "Traps",
                "CSwiftRuntime",
            ]),
        // 5
        library(
            "ECS",
            [
                "ManagedObjects", "Worlds", "Store", "RecordFormat", "ObjectTable", "Contents",
                "Schema", "CocoaErrors", "Traps",
            ]),
        library("LibraryImport", ["ManagedObjects", "Store", "Schema", "Traps"]),
        // 6
        library("Lode", ["ManagedObjects", "ECS", "LibraryImport", "LodeMacros"]),
        // 7
        library("CoreData", ["Lode"]),
        .executableTarget(
            name: "LodeTool", dependencies: ["Lode", "Contents"], swiftSettings: settings),
        // For the plugin: small, as it is built before all that uses the plugin.
        .executableTarget(
            name: "ModelClassesTool", dependencies: ["ModelClasses", "ModelFiles"],
            swiftSettings: settings),
        .plugin(
            name: "GenerateModelClasses", capability: .buildTool(),
            dependencies: ["ModelClassesTool"]),
        .executableTarget(
            name: "CoreDataECS", dependencies: ["CoreData"], path: "Sources/Examples/CoreDataECS",
            swiftSettings: settings),
        .executableTarget(
            name: "Teams", dependencies: ["CoreData"], path: "Sources/Examples/Teams",
            swiftSettings: settings),
        .executableTarget(
            name: "Companies", dependencies: ["CoreData"], path: "Sources/Examples/Companies",
            swiftSettings: settings),
        .executableTarget(
            name: "Dungeon", dependencies: ["CoreData"], path: "Sources/Examples/Dungeon",
            swiftSettings: settings),
        .executableTarget(
            name: "Orbits", dependencies: ["CoreData"], path: "Sources/Examples/Orbits",
            swiftSettings: settings),
        .executableTarget(
            name: "Recipes", dependencies: ["CoreData"], path: "Sources/Examples/Recipes",
            resources: [.copy("Recipes.xcdatamodeld")], swiftSettings: settings,
            plugins: ["GenerateModelClasses"]),
        .target(
            name: "Films", dependencies: ["CoreData"], path: "Sources/Examples/StarWarsFilms/Films",
            swiftSettings: settings),
        .executableTarget(
            name: "StarWarsFilms", dependencies: ["CoreData", "Films"],
            path: "Sources/Examples/StarWarsFilms/Program", swiftSettings: settings),
        // Tests
        .target(name: "_TestSupport", path: "Tests/_TestSupport", swiftSettings: settings),
        tests("LMDBTests", ["LMDB"]),
        tests("SchemaTests", ["Schema"]),
        tests("CocoaErrorsTests", ["CocoaErrors"]),
        tests("RecordFormatTests", ["RecordFormat", "Schema"]),
        tests("PredicatesTests", ["Predicates", "Schema"]),
        tests("UndoTests", ["Undo"]),
        tests("ContentsTests", ["Contents"]),
        tests("ModelFilesTests", ["ModelFiles"]),
        tests("ModelClassesTests", ["ModelClasses", "ModelFiles"]),
        tests("WorldsTests", ["Worlds", "Contents"]),
        tests("ObjectTableTests", ["ObjectTable", "Schema"]),
        tests("StoreTests", ["Store", "LMDB", "RecordFormat", "Contents", "Schema"]),
        tests("QueryTests", ["Query", "Store", "Predicates", "RecordFormat", "Schema"]),
        tests("ManagedObjectsTests", ["ManagedObjects", "Store", "RecordFormat", "Schema"]),
        tests(
            "ECSTests",
            ["ECS", "ManagedObjects", "Worlds", "Store", "RecordFormat", "Contents", "LMDB"]),
        tests("LibraryImportTests", ["LibraryImport", "ManagedObjects", "Store", "Schema"]),
        // Lode brings the plugin, with which the tests expand macros of their own.
        tests("MacroExpansionTests", ["MacroExpansion", "Lode"]),
        tests("LodeTests", ["Lode", "RecordFormat", "Schema", "Store"]),
        tests("LodeToolTests", ["Lode", "LodeTool", "ECS", "Worlds"]),
        tests("CoreDataECSTests", ["CoreData", "CoreDataECS"]),
        tests("TeamsTests", ["CoreData", "Teams"]),
        tests("CompaniesTests", ["CoreData", "Companies"]),
        tests("DungeonTests", ["CoreData", "Dungeon"]),
        tests("OrbitsTests", ["CoreData", "Orbits"]),
        tests("RecipesTests", ["CoreData", "Recipes"]),
        tests("StarWarsFilmsTests", ["CoreData", "Films"]),
        tests("OtherPeoplesCodeTests", ["CoreData"]),
        tests(
            "ReadmeTests",
            [
                "CoreData", "LMDB", "Store", "Query", "Predicates", "RecordFormat", "Schema",
                "ModelFiles", "ModelClasses", "Recipes",
            ]),
        tests("TidyTests"),
        // The fault harness: only the program links the interposer, which replaces functions of the
        // C library wherever it is linked.
        .target(name: "FaultInterposer", path: "Tests/Faults/Interposer"),
        .target(
            name: "FaultHarness", dependencies: ["Lode", "_TestSupport"],
            path: "Tests/Faults/Harness", swiftSettings: settings),
        .executableTarget(
            name: "lode-faults", dependencies: ["FaultHarness", "FaultInterposer"],
            path: "Tests/Faults/Program", swiftSettings: settings),
        tests("FaultTests"),
    ]
)
