// SPDX-License-Identifier: Apache-2.0

@_exported import Lode

/// The expression class that can be made: Foundation's of the same name cannot, on Linux.
///
/// A file that imports Foundation by itself says which one it means with
/// `import class CoreData.NSExpression`.
public typealias NSExpression = Lode.NSExpression
