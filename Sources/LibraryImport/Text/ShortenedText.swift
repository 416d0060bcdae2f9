// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text for a message: cut behind so many characters, with an ellipsis.
    func shortened(to limit: Int = 40) -> String {
        count <= limit ? self : prefix(limit - 1) + "…"
    }
}
