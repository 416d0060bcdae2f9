// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "lode-benchmarks",
    products: [.executable(name: "lode-bench", targets: ["lode-bench"])],
    dependencies: [.package(name: "lode", path: "..")],
    targets: [
        // 0
        .systemLibrary(
            name: "CRawLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "CAllocations"),
        .systemLibrary(name: "CInstructions", providers: [.apt(["valgrind"])]),
        .target(
            name: "BenchmarkKit", dependencies: ["CAllocations", "CInstructions"],
            swiftSettings: settings),
        // 1
        .target(
            name: "Engines",
            dependencies: [
                "BenchmarkKit", "CRawLMDB", "CSQLite", .product(name: "CoreData", package: "lode"),
                .product(name: "_LodeStore", package: "lode"),
            ],
            swiftSettings: settings),
        // 2
        .target(
            name: "Workloads", dependencies: ["BenchmarkKit", "Engines"], swiftSettings: settings),
        // 3
        .executableTarget(
            name: "lode-bench", dependencies: ["BenchmarkKit", "Engines", "Workloads"],
            swiftSettings: settings),
    ]
)
