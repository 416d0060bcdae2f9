// SPDX-License-Identifier: Apache-2.0

/// What each target may import, lowest layer first; `Package.swift` draws the same arrows.
enum Layers {
    /// A target: its folder, the targets it imports, and the special permissions it has.
    struct Layer {
        let folder: String
        let imports: Set<String>
        var allowsFoundation = true
        /// The beginnings of paths whose files may name raw pointers.
        var pointerPaths: [String] = []
        /// Whether raw buffers may be named, which know their bounds.
        var allowsBuffers = false
    }

    static let sources: [Layer] = [
        Layer(folder: "Sources/CLMDB", imports: []),
        Layer(folder: "Sources/CSwiftRuntime", imports: []),
        Layer(folder: "Sources/Traps", imports: [], allowsFoundation: false),
        Layer(folder: "Sources/Schema", imports: [], allowsFoundation: false),
        Layer(folder: "Sources/CocoaErrors", imports: []),
        Layer(folder: "Sources/FoundationNames", imports: []),
        // The plugin reads and writes its pipes through read(2) and write(2).
        Layer(
            folder: "Sources/MacroExpansion", imports: [],
            pointerPaths: ["Sources/MacroExpansion/MessageChannel.swift"]),
        Layer(folder: "Sources/Contents", imports: [], allowsFoundation: false),
        Layer(folder: "Sources/ModelFiles", imports: []),
        Layer(folder: "Sources/ModelClasses", imports: ["ModelFiles"]),
        Layer(folder: "Sources/ModelClassesTool", imports: ["ModelClasses", "ModelFiles"]),
        Layer(folder: "Sources/LodeMacros", imports: ["MacroExpansion"]),
        Layer(
            folder: "Sources/LMDB", imports: ["CLMDB", "Traps"], allowsFoundation: false,
            pointerPaths: ["Sources/LMDB/"]),
        Layer(
            folder: "Sources/RecordFormat", imports: ["Schema", "Traps"], allowsFoundation: false,
            pointerPaths: ["Sources/RecordFormat/"]),
        // Text of records is matched in place, as bytes that know their bounds.
        Layer(folder: "Sources/Predicates", imports: ["Schema"], allowsBuffers: true),
        Layer(folder: "Sources/Undo", imports: ["Traps"]),
        // The place of a block has its address: it is asked for three times in an object's life.
        Layer(
            folder: "Sources/ObjectTable", imports: ["Schema", "CSwiftRuntime"],
            allowsFoundation: false,
            pointerPaths: ["Sources/ObjectTable/ObjectRegistry+Blocks.swift"]),
        Layer(
            folder: "Sources/Worlds", imports: ["Contents", "Traps"], allowsFoundation: false,
            pointerPaths: ["Sources/Worlds/"]),
        // Store hands bytes from RecordFormat to LMDB and back, and never takes them apart.
        Layer(
            folder: "Sources/Store",
            imports: ["LMDB", "RecordFormat", "Contents", "Schema", "Traps"],
            allowsFoundation: false, allowsBuffers: true),
        Layer(
            folder: "Sources/Query",
            imports: ["Store", "Predicates", "RecordFormat", "Schema", "Traps"],
            allowsFoundation: false),
        Layer(
            folder: "Sources/ManagedObjects",
            imports: [
                "Query", "Store", "Predicates", "RecordFormat", "Contents", "Schema", "Undo",
                "ObjectTable", "CocoaErrors", "FoundationNames", "ModelFiles", "Traps",
                "CSwiftRuntime",
            ],
            // Compare the method tables of classes, as Swift tells of no override, and give
            // Foundation's the methods that it lacks, find classes by their names, and give an
            // object the class of its entity.
            pointerPaths: [
                // A word that is a key or an address.
                "Sources/ManagedObjects/Object/ExtrasWord.swift",
                "Sources/ManagedObjects/Object/MethodTable.swift",
                "Sources/ManagedObjects/Model/LoadedClasses.swift",
                // An initialiser that its superclass requires names one.
                "Sources/ManagedObjects/Model/StoredDecimalNumber.swift",
                // A method of its superclass, which it overrides, takes one.
                "Sources/ManagedObjects/Object/MutableOrderedMembers.swift",
                "Sources/ManagedObjects/Object/ClassMetadata.swift",
                // Reads how many cases an enumeration has, and makes each.
                "Sources/ManagedObjects/Object/EnumerationMetadata.swift",
            ]),
        Layer(
            folder: "Sources/ECS",
            imports: [
                "ManagedObjects", "Worlds", "Store", "RecordFormat", "ObjectTable", "Contents",
                "Schema", "CocoaErrors", "Traps",
            ],
            // Hands the bytes of chunks from the store to columns and back.
            pointerPaths: ["Sources/ECS/Worlds/"]),
        Layer(
            folder: "Sources/LibraryImport",
            imports: ["ManagedObjects", "Store", "Schema", "Traps"]),
        Layer(
            folder: "Sources/Lode", imports: ["ManagedObjects", "ECS", "LibraryImport"],
            allowsFoundation: false),
        Layer(folder: "Sources/CoreData", imports: ["Lode"], allowsFoundation: false),
        Layer(folder: "Sources/LodeTool", imports: ["Lode", "Contents"]),
    ]

    /// The rules of the examples, each of which has a folder of its own.
    static let example = Layer(folder: "Sources/Examples", imports: ["Lode", "CoreData"])

    /// The modules of this package: importing one is a matter of layers.
    static let modules = Set(
        sources.compactMap { $0.folder.split(separator: "/").last.map(String.init) })

    /// The layer of a source file; nil for a file that belongs to no target.
    static func layer(of file: SourceFile) -> Layer? {
        if file.path.hasPrefix("Sources/Examples/") {
            return file.path.split(separator: "/").count > 3 ? example : nil
        }
        return sources.first { $0.folder == file.folder }
    }
}
