// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

/// What identifies the rows for a store that exists: what the store keeps unique.
@Suite struct StoreKeyTests {
    /// Parents by `NodeId`, which few rows may not show to be no key.
    private let tree = "id,NodeId,name\n1,,a\n2,1,b\n3,1,c\n4,2,d\n"

    @Test func aFileOfFewRowsHasTheKeyOfTheStore() throws {
        try withWorkplace { place throws in
            _ = try place.load(["Node.csv": tree])
            let report = try place.load(["Node.csv": "id,NodeId,name\n5,2,e\n3,4,C\n"])
            #expect(report.counts == ["Node 1/1/0/0"])
            try place.expect([
                "Node id=1 nodeId=nil name=a", "Node id=2 nodeId=1 name=b",
                "Node id=3 nodeId=4 name=C", "Node id=4 nodeId=2 name=d",
                "Node id=5 nodeId=2 name=e",
            ])
        }
    }

    @Test func theKeyOfAMappingStaysTheKeyWithoutIt() throws {
        try withWorkplace { place throws in
            let mapping = #"{"entities": {"A": {"key": "Code"}}}"#
            _ = try place.load(["A.csv": "id,Code,x\n1,p,5\n1,q,6\n"], mapping: mapping)
            let report = try place.load(["A.csv": "id,Code,x\n1,q,7\n2,r,8\n"])
            #expect(report.counts == ["A 1/1/0/0"])
            try place.expect([
                "A id=1 code=p x=5", "A id=1 code=q x=7", "A id=2 code=r x=8",
            ])
            let other = #"{"entities": {"A": {"key": "id"}}}"#
            _ = try place.load(["A.csv": "id,Code,x\n2,r,9\n"], mapping: other)
            try place.expect([
                "A id=1 code=p x=5", "A id=1 code=q x=7", "A id=2 code=r x=9",
            ])
        }
    }

    @Test func aRowThatTakesAUniqueValueOfAnotherIsRejected() throws {
        try withWorkplace { place throws in
            let mapping = #"{"entities": {"A": {"attributes": {"Code": {"unique": true}}}}}"#
            _ = try place.load(["A.csv": "id,Code\n1,p\n2,q\n"], mapping: mapping)
            let report = try place.load(["A.csv": "id,Code\n1,q\n2,q\n3,r\n4,p\n"])
            #expect(report.counts == ["A 1/0/1/2"])
            #expect(
                report.rejections.map(\.reason) == [
                    "Code \"q\" belongs to another A already",
                    "Code \"p\" belongs to another A already",
                ])
            try place.expect(["A id=1 code=p", "A id=2 code=q", "A id=3 code=r"])
        }
    }
}
