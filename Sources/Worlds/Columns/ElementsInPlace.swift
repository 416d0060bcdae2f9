// SPDX-License-Identifier: Apache-2.0

/// Inline arrays of all types and lengths, into which reflection does not see.
protocol ElementsInPlace {
    static var elementType: Any.Type { get }
    static var elementCount: Int { get }
    var elements: [Any] { get }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: ElementsInPlace {
    static var elementType: Any.Type { Element.self }
    static var elementCount: Int { count }
    var elements: [Any] { indices.map { self[$0] } }
}
