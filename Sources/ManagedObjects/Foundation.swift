// SPDX-License-Identifier: Apache-2.0

// As `import CoreData` does on Apple's systems: its API is made of Foundation's types.
@_exported import Foundation
// What NSPredicate.parse(_:arguments:) throws, which a program has to be able to name.
@_exported import struct Predicates.PredicateSyntaxError
