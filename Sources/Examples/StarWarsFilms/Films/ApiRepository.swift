// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where films come from: a server that answers `{"results": […]}`.
public struct ApiRepository: Sendable {
    private let url: URL
    private let session: URLSession

    /// Asks at an address.
    public init(url: URL) {
        self.url = url
        session = URLSession(configuration: .ephemeral)
    }

    /// The films that the server has now.
    ///
    /// - Throws: `URLError` without a whole answer, ``ApiError`` for one that is not what was asked
    ///   for.
    public func films() async throws -> [FilmRecord] {
        let (data, response) = try await session.data(from: url)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
            throw ApiError.status((response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        do {
            return try FilmRecord.decode(data)
        } catch {
            throw ApiError.format("\(error)")
        }
    }
}

/// An answer that is no list of films.
public enum ApiError: Error, Equatable, CustomStringConvertible {
    /// The server refused, with an HTTP status.
    case status(Int)
    /// The body cannot be read.
    case format(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .status(let code): "the server answered with status \(code)"
        case .format(let reason): "the answer is no list of films: \(reason)"
        }
    }
}
