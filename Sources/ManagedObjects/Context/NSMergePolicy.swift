// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a save resolves conflicts with what others saved in between.
///
/// Only the error policy exists yet: a conflict fails the save with 133020, a broken uniqueness
/// constraint with 133021, and nothing is written.
// Sendable because it has no state but its immutable kind.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// A conflict fails the save.
    public class var error: NSMergePolicy { errorPolicy }

    private static let errorPolicy = NSMergePolicy()
}

/// A conflict fails the save; the policy of every new context.
public let NSErrorMergePolicy: any Sendable & AnyObject = NSMergePolicy.error
