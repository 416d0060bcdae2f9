// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Where a stack keeps its objects: in the coordinator's main store, or in a file of a
/// configuration, which is a further one.
enum StackPlace: Sendable {
    case main
    case configuration

    /// Where stacks that are made in the current task keep their objects.
    @TaskLocal static var current = StackPlace.main

    /// The configuration to open the file with; `nil` for the main store.
    ///
    /// For a further file the model gets one more entity, which sorts before the others and is not
    /// in the configuration: so the file numbers its entities otherwise than the model.
    func configure(_ model: NSManagedObjectModel) -> String? {
        guard self == .configuration else { return nil }
        let names = model.entities.compactMap(\.name)
        if !names.contains("AAA") {
            let used = model.entities
            model.entities += [Build.entity("AAA", [Build.attribute("unused")])]
            model.setEntities(used, forConfigurationName: "Used")
        }
        return "Used"
    }
}

/// Runs each test of a suite twice: with its objects in a main store, and in a further file.
struct BothPlaces: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await function()
        try await StackPlace.$current.withValue(.configuration) { try await function() }
    }
}

extension Trait where Self == BothPlaces {
    static var inBothPlaces: BothPlaces { BothPlaces() }
}
