// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes errors with Core Data's codes, in Cocoa's domain.
package enum CoreDataError {
    /// An error of a code, with what happened and what to do.
    package static func make(
        _ code: CocoaError.Code, _ message: String, _ userInfo: [String: Any] = [:]
    ) -> CocoaError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = message
        // What `print(error)` shows on Linux: without a reason, "(null)".
        info[NSLocalizedFailureReasonErrorKey] = message
        return CocoaError(code, userInfo: info)
    }
}

extension CocoaError {
    /// The message of an error with a description, else Foundation's own.
    public var message: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? localizedDescription
    }
}
