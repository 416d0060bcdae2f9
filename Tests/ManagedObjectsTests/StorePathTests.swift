// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// One file under several paths: the coordinator takes them for what they are, one store.
@Suite struct StorePathTests {
    /// Paths of the store beside the one that it was added by, after `link` was made.
    private func otherPaths(of url: URL, link: URL) -> [URL] {
        let folder = url.deletingLastPathComponent()
        let name = url.lastPathComponent
        return [
            URL(fileURLWithPath: name, relativeTo: folder),
            URL(fileURLWithPath: folder.path + "/./" + name),
            URL(fileURLWithPath: folder.path + "/../" + folder.lastPathComponent + "/" + name),
            link.appendingPathComponent(name),
            link.appendingPathComponent("\(name).link"),
        ]
    }

    private func makeLink(to stack: Stack) throws -> URL {
        let link = stack.directory.appendingPathExtension("link")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: stack.directory)
        // And the file by a link of its own, whose target has no folder.
        let name = stack.url.lastPathComponent
        try FileManager.default.createSymbolicLink(
            atPath: stack.url.path + ".link", withDestinationPath: name)
        return link
    }

    @Test func a_store_is_found_by_each_path_of_its_file() throws {
        let stack = try Stack(ItemModel.make())
        let link = try makeLink(to: stack)
        defer { try? FileManager.default.removeItem(at: link) }
        let coordinator = stack.container.persistentStoreCoordinator
        let store = coordinator.persistentStores[0]
        for path in otherPaths(of: stack.url, link: link) {
            #expect(coordinator.persistentStore(for: path) === store, "\(path)")
        }
        let other = stack.directory.appendingPathComponent("other.lode")
        #expect(coordinator.persistentStore(for: other) == nil)
        #expect(try coordinator.persistentStore(for: #require(URL(string: "a:b"))) == nil)
        try FileManager.default.removeItem(at: stack.url)
        for path in otherPaths(of: stack.url, link: link) {
            #expect(coordinator.persistentStore(for: path) === store, "gone: \(path)")
        }
    }

    /// Else the coordinator would go on with a file that nobody finds any more, saves included.
    @Test(arguments: 0..<5)
    func destroying_by_another_path_removes_the_store(number: Int) throws {
        let stack = try Stack(ItemModel.make())
        let link = try makeLink(to: stack)
        defer { try? FileManager.default.removeItem(at: link) }
        _ = stack.context.make("Item", ["name": "a"])
        try stack.context.save()
        let coordinator = stack.container.persistentStoreCoordinator
        let path = otherPaths(of: stack.url, link: link)[number]
        try coordinator.destroyPersistentStore(at: path, type: .sqlite)
        #expect(coordinator.persistentStores == [])
        try coordinator.addPersistentStore(type: .sqlite, at: stack.url)
        #expect(try stack.context.count("Item") == 0)
    }
}
