// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

/// Compares the samples of `FileFormat.md` that are of migrated files with a file.
@Suite struct MigrationFormatTests {
    @Test func entries_of_meta() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/sample.lode"
            let former = try FilmModel.sample()
            _ = try openStore(path, former)
            #expect(try RawFile(path).meta("former") == nil)
            var entities = former.entities
            entities[1].attributes.append(Attribute(name: "born", type: .integer16))
            _ = try openStore(path, Schema(entities: entities), .migrating)
            let samples = try HexSamples.ofFileFormat().samples
            for (name, sample) in [("lode", "header-migrated"), ("former", "former")] {
                let bytes = try #require(try RawFile(path).meta(name))
                #expect(hexText(bytes) == hexText(try #require(samples[sample])), "\(name)")
            }
        }
    }

    @Test func damaged_lists_of_former_models_are_refused() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/sample.lode"
            let former = try FilmModel.sample()
            _ = try openStore(path, former)
            let seal = EntrySeal(version: FormatVersion.migrated)
            try RawFile(path).setMeta(
                "former", seal.seal([1, 0, 0, 0, 7], for: Array("former".utf8)))
            let error = refusal(path, try FilmModel.rich(), .migrating)
            #expect(error?.code == .damaged)
            #expect(refusal(path, former) == nil)
        }
    }
}
