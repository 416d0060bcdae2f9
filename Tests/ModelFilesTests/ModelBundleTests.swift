// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ModelFiles

@Suite("The versions of a model")
struct ModelBundleTests {
    private let folder: ModelFolder

    init() throws { folder = try ModelFolder() }

    private var path: String { folder.url.path }

    private func entity(_ name: String) -> String { "<entity name=\"\(name)\"/>" }

    private func fault(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch {
            return "\(error)".replacingOccurrences(of: path, with: "")
        }
    }

    @Test("A bundle with one version needs no file that names it")
    func one() throws {
        try folder.write("Office", ["Office": entity("A")])
        for ending in ["", "/"] {
            let bundle = try ModelBundle(at: path + "/Office.xcdatamodeld" + ending)
            #expect(bundle.versions == ["Office"])
            #expect(bundle.current == "Office")
            #expect(try bundle.currentModel().entities.map(\.name) == ["A"])
        }
    }

    @Test("Of several versions the file names the current one; numbers in names count as such")
    func several() throws {
        try folder.write(
            "Office",
            ["Office": entity("A"), "Office 2": entity("B"), "Office 10": entity("C")],
            current: "Office 2")
        let bundle = try ModelBundle(at: path + "/Office.xcdatamodeld")
        #expect(bundle.versions == ["Office", "Office 2", "Office 10"])
        #expect(bundle.current == "Office 2")
        #expect(try bundle.currentModel().entities.map(\.name) == ["B"])
        #expect(try bundle.model(version: "Office 10").entities.map(\.name) == ["C"])
        #expect(
            fault { _ = try bundle.model(version: "Office 3") }
                == "there is no version Office 3; there are Office, Office 2, Office 10")
    }

    @Test("A single version and a file with the XML are models, too")
    func parts() throws {
        try folder.write("<model>\(entity("A"))</model>", to: "Office 2.xcdatamodel/contents")
        for part in ["/Office 2.xcdatamodel/contents", "/Office 2.xcdatamodel"].map({ path + $0 }) {
            #expect(try ModelBundle(at: part).currentModel().entities.map(\.name) == ["A"])
        }
        #expect(try ModelBundle(at: path + "/Office 2.xcdatamodel").current == "Office 2")
    }

    @Test("What is no bundle is refused with its path")
    func refused() throws {
        try folder.write("", to: "Empty.xcdatamodeld/other")
        try folder.write("", to: "Compiled.momd/Compiled.mom")
        let versions: KeyValuePairs = ["X": entity("A"), "X 2": entity("A")]
        try folder.write("Two", versions)
        try folder.write("Lost", versions, current: "X 3")
        try folder.write("Bad", versions)
        try folder.write(
            "<plist version=\"1.0\"><dict/></plist>", to: "Bad.xcdatamodeld/.xccurrentversion")
        let expected = [
            "None.xcdatamodeld": "/None.xcdatamodeld: there is no such model",
            "Empty.xcdatamodeld":
                "/Empty.xcdatamodeld: the folder has no .xcdatamodel with a file contents in it",
            "Compiled.momd":
                "/Compiled.momd: the model was compiled by Xcode, in a form of its own; use the "
                + ".xcdatamodeld",
            "Two.xcdatamodeld":
                "/Two.xcdatamodeld: there are 2 versions and no .xccurrentversion to name the "
                + "current one; copy that file, too",
            "Lost.xcdatamodeld":
                "/Lost.xcdatamodeld/.xccurrentversion: the current version, X 3.xcdatamodel, is "
                + "not there",
            "Bad.xcdatamodeld":
                "/Bad.xcdatamodeld/.xccurrentversion: there is no _XCCurrentVersionName",
        ]
        for (name, text) in expected {
            #expect(fault { _ = try ModelBundle(at: path + "/" + name) } == text)
        }
    }

    @Test("A fault of the XML is told with the path of its version")
    func faultOfVersion() throws {
        try folder.write("Office", ["V": "<entity/>"])
        let bundle = try ModelBundle(at: path + "/Office.xcdatamodeld")
        #expect(
            fault { _ = try bundle.currentModel() }
                == "/Office.xcdatamodeld/V.xcdatamodel/contents:2: <entity> has no name")
    }
}
