// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a body with the path of a new, empty directory, and deletes the directory afterwards.
///
/// - Parameter body: Gets the path, without a slash at its end and without symbolic links.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or the system's error when there is no place for a directory.
public func withTemporaryDirectory<Result>(
    _ body: (String) throws -> Result
) throws -> Result {
    let directory = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try body(directory)
}

/// Runs an asynchronous body with the path of a new, empty directory, and deletes it afterwards.
///
/// - Parameters:
///   - isolation: The actor on which the body runs: the caller's.
///   - body: Gets the path, without a slash at its end and without symbolic links.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or the system's error when there is no place for a directory.
public func withTemporaryDirectory<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (String) async throws -> Result
) async throws -> Result {
    let directory = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try await body(directory)
}

private func makeTemporaryDirectory() throws -> String {
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appendingPathComponent("lode-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url.path
}
