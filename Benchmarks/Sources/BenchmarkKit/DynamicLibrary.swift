// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A library that is looked for at run time, so that this program starts without it.
public struct DynamicLibrary: @unchecked Sendable {
    // The handle is never closed, and dlsym may be called from any thread.
    private let handle: UnsafeMutableRawPointer
    /// The name of the file, which tells the version.
    public let file: String

    /// Loads a library.
    ///
    /// - Parameters:
    ///   - names: The names under which systems have it.
    ///   - variable: An environment variable that may have its path.
    /// - Throws: ``BenchmarkError`` when there is no such library.
    public init(_ names: [String], variable: String) throws {
        // The empty path would be this program.
        let path = ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        var reason = ""
        for name in path.map({ [$0] }) ?? names {
            if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
                self.handle = handle
                file = Self.loadedFile(name)
                return
            }
            let message = dlerror().map { String(cString: $0) } ?? "\(name) does not load"
            // Of several names the first is the usual one.
            if reason.isEmpty { reason = message }
        }
        throw BenchmarkError("\(reason); install it or set \(variable) to its path")
    }

    /// A function, as a C function type that its documentation states.
    public func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
        guard let symbol = dlsym(handle, name) else {
            throw BenchmarkError("\(file) has no \(name); use another version of it")
        }
        return unsafeBitCast(symbol, to: type)
    }

    /// The file behind links, as its mapping shows it.
    private static func loadedFile(_ name: String) -> String {
        let stem = URL(fileURLWithPath: name).lastPathComponent
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let line = maps.split(separator: "\n").first { $0.contains("/" + stem) }
        return line?.split(separator: "/").last.map(String.init) ?? stem
    }
}
