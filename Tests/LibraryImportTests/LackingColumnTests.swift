// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// Data without a column that the entities of the store require.
@Suite struct LackingColumnTests {
    @Test(arguments: [1, 10_000])
    func known_objects_change_and_new_ones_are_rejected(batchSize: Int) throws {
        try withWorkplace { place throws in
            _ = try place.load(["a.csv": "id,n,o\n1,2,x\n2,3,\n"])
            let report = try place.load(
                ["a.csv": "id,o\n1,9\n3,8\n2,7\n4,6\n"], batchSize: batchSize)
            #expect(report.counts == ["A 0/2/0/2"])
            #expect(
                report.reasons == ["a.csv:3 A 2: n is missing", "a.csv:5 A 4: n is missing"])
            try place.expect(["A id=1 n=2 o=9", "A id=2 n=3 o=7"])
        }
    }

    @Test func a_strict_import_leaves_the_store_as_it_was() throws {
        try withWorkplace { place throws in
            _ = try place.load(["a.csv": "id,n,o\n1,2,x\n2,3,\n"])
            let error = #expect(throws: ImportError.self) {
                try place.load(["a.csv": "id,o\n1,9\n3,8\n"], isStrict: true)
            }
            #expect(error?.code == .strictRejection)
            try place.expect(["A id=1 n=2 o=x", "A id=2 n=3 o=nil"])
        }
    }

    @Test func a_mandatory_relationship() throws {
        try withWorkplace { place throws in
            let files = ["A.csv": "AId,x,BId\n1,5,1\n", "B.csv": "BId\n1\n"]
            _ = try place.load(files)
            let report = try place.load(["A.csv": "AId,x\n1,6\n2,7\n", "B.csv": "BId\n2\n"])
            #expect(report.counts == ["A 0/1/0/1", "B 1/0/0/0"])
            #expect(report.reasons == ["A.csv:3 A 2: b is missing"])
            try place.expect(["A aId=1 x=6 b=1", "B bId=1 bAs=[1]", "B bId=2 bAs=[]"])
        }
    }

    @Test func a_default_value_stands_for_a_column() throws {
        try withWorkplace { place throws in
            _ = try place.load(["a.csv": "id,n,o\n1,2,x\n"])
            try place.remakeStore { model in
                model.entitiesByName["A"]?.attributesByName["n"]?.defaultValue = 5
            }
            let report = try place.load(["a.csv": "id,o\n3,z\n"])
            #expect(report.counts == ["A 1/0/0/0"])
            try place.expect(["A id=3 n=5 o=z"])
        }
    }

    @Test func objects_without_a_key() throws {
        try withWorkplace { place throws in
            _ = try place.load(["a.csv": "x,n\n5,1\n5,2\n"])
            let report = try place.load(["a.csv": "x\n7\n7\n"])
            #expect(report.counts == ["A 0/0/0/2"])
            #expect(report.reasons == ["a.csv:2 A 1: n is missing", "a.csv:3 A 2: n is missing"])
        }
    }
}
