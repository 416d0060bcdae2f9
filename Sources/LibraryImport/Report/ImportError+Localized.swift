// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ImportError: LocalizedError {
    /// The place and the message.
    public var errorDescription: String? { description }
    /// The same, which is what an `NSError` prints.
    public var failureReason: String? { description }
}
