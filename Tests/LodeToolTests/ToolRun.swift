// SPDX-License-Identifier: Apache-2.0

import Lode

@testable import LodeTool

/// The tool, run in a folder that exists while `body` runs.
struct ToolRun {
    /// What a run printed and returned.
    struct Result {
        var status: Int32
        var output: String
        var error: String
    }

    let folder: String

    var store: String { folder + "/music.lode" }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    /// Runs the tool; paths in what it prints are cut to the names.
    func lode(_ arguments: String..., isTerminal: Bool = false) -> Result {
        var output = ""
        var error = ""
        let status = LodeCommand.run(
            arguments: arguments, output: ToolOutput(isTerminal: isTerminal) { output += $0 },
            error: ToolOutput(isTerminal: isTerminal) { error += $0 })
        return Result(status: status, output: short(output), error: short(error))
    }

    private func short(_ text: String) -> String {
        text.replacingOccurrences(of: folder + "/", with: "")
    }

    /// What is in the folder, but for lock files.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !$0.hasSuffix("-lock") }.sorted()
    }

    /// A small library, and the store made of it.
    func makeMusic() throws {
        try write("music.json", Self.music)
        _ = lode("import", path("music.json"), "--into", store, "--quiet")
    }

    static let music = """
        {"Artist": [{"ArtistId": 1, "Name": "AC/DC"}, {"ArtistId": 2, "Name": "Accept"}],
         "Album": [{"AlbumId": 1, "Title": "Let There Be Rock", "ArtistId": 1, "Price": 9.5,
                    "Released": "1977-03-21"},
                   {"AlbumId": 2, "Title": "Balls, \\"Wall\\"", "ArtistId": 2, "Price": null,
                    "Released": "1983-12-05T10:00:00Z"},
                   {"AlbumId": 3, "Title": "Powerage", "ArtistId": 1, "Price": 12,
                    "Released": "1978-05-05"}],
         "Playlist": [{"PlaylistId": 1, "Name": "Loud"}],
         "AlbumPlaylist": [{"AlbumId": 1, "PlaylistId": 1}, {"AlbumId": 2, "PlaylistId": 1}]}
        """
}

/// Runs tests of the tool in a new folder.
func withTool(_ body: (ToolRun) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "LodeToolTests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(ToolRun(folder: folder))
}
