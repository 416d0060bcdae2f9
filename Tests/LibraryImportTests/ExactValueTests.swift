// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import Testing

/// Values that a careless choice of types would change.
@Suite struct ExactValueTests {
    @Test func aDoubleWouldRoundAWholeNumber() throws {
        try withWorkplace { place throws in
            _ = try place.load([
                "A.csv": "id,big,huge,small\n1,9007199254740993,18446744073709551616,3\n"
                    + "2,2.5,0.25,2.5\n"
            ])
            try place.expect([
                "A id=1 big=9007199254740993 huge=18446744073709551616 small=3.0",
                "A id=2 big=2.5 huge=0.25 small=2.5",
            ])
        }
    }

    @Test func whatNoNumberHoldsIsText() throws {
        let digits = String(repeating: "9", count: 50)
        try withWorkplace { place throws in
            let report = try place.load([
                "A.csv": "id,x,y\n1,1e400,\(digits)\n2,1e10,5\n",
                "B.json": #"[{"id": 1, "x": 1e400}, {"id": 2, "x": 0.5}]"#,
            ])
            #expect(report.rejectionCount == 0)
            try place.expect([
                "A id=1 x=1e400 y=\(digits)", "A id=2 x=1e10 y=5", "B id=1 x=1e400", "B id=2 x=0.5",
            ])
        }
    }

    @Test func anEmptyFieldInQuotesIsAnEmptyText() throws {
        try withWorkplace { place throws in
            let report = try place.load([
                "A.csv": "id,text,n,BId\n1,\"\",\"\",\"\"\n2,,,\n3,x,4,k\n\"\",y,5,k\n",
                "B.csv": "BId\nk\n",
            ])
            #expect(report.rejections.map(\.reason) == ["id is missing"])
            try place.expect([
                "A id=1 text= n=nil b=nil", "A id=2 text=nil n=nil b=nil", "A id=3 text=x n=4 b=k",
                "B bId=k bAs=[3]",
            ])
        }
    }

    @Test func anEmptyTextIsAValueOfAMandatoryAttribute() throws {
        let mapping = #"{"entities": {"A": {"attributes": {"t": {"optional": false}}}}}"#
        try withWorkplace { place throws in
            let report = try place.load(
                ["A.csv": "id,t\n1,\"\"\n2,\n3,x\n"], mapping: mapping)
            #expect(report.rejections.map(\.reason) == ["t is missing"])
            try place.expect(["A id=1 t=", "A id=3 t=x"])
        }
    }
}
