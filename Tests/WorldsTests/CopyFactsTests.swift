// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Worlds

/// What a description knows of the IDs in values.
@Suite struct CopyFactsTests {
    private func facts(_ fields: String, size: Int) -> CopyFacts {
        ComponentType(name: "A", size: size, stride: size, alignment: 8, fields: fields).copyFacts
    }

    @Test func fields_that_name_game_objects_are_known() {
        let aim = facts("target:GameObjectID@0 second:Optional<GameObjectID>@8 x:Int@24", size: 32)
        #expect(
            aim.references == [
                ReferenceField(offset: 0, isOptional: false),
                ReferenceField(offset: 8, isOptional: true),
            ])
        #expect(!aim.hasOpaqueFields)
        #expect(!aim.mayHideReferences)
        #expect(facts("", size: 0) == facts("", size: 0))
        #expect(!facts("", size: 0).hasOpaqueFields)
        #expect(facts("no list", size: 8).hasOpaqueFields)
    }

    /// Without details, a field may be an ID where there is room for one.
    @Test func room_ends_at_the_next_field() {
        #expect(facts("a:Goal@0", size: 8).mayHideReferences)
        #expect(!facts("a:Goal@0 b:Int32@4", size: 8).mayHideReferences)
        #expect(!facts("b:Int32@4 a:Goal@0", size: 8).mayHideReferences)
        #expect(!facts("a:Goal@0 b:Hue@4 c:Int@8", size: 16).mayHideReferences)
        #expect(facts("a:Goal@0 b:Hue@4", size: 16).mayHideReferences)
        #expect(facts("a:Goal@0 b:Goal@0", size: 8).mayHideReferences)
        #expect(facts("a:Goal@0 b:Goal@0 c:Int@8", size: 16).mayHideReferences)
    }

    @Test func a_list_of_very_many_fields_is_read_at_once() {
        let fields = (0..<50_000).map { "f:Hue@\($0)" }.joined(separator: " ")
        let many = facts(fields, size: 50_000)
        #expect(many.hasOpaqueFields)
        #expect(!many.mayHideReferences)
    }
}
