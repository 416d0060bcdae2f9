// SPDX-License-Identifier: Apache-2.0

/// The folder with `Package.swift`, found from the path of a source file below `Tests/<Target>`.
///
/// - Parameter file: The path of the calling file.
public func packageRoot(of file: String = #filePath) -> String {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    guard let tests = parts.lastIndex(of: "Tests") else {
        preconditionFailure("\(file) is not below a folder named Tests")
    }
    return parts[..<tests].joined(separator: "/")
}
