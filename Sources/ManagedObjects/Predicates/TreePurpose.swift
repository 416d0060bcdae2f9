// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a tree is resolved for.
struct TreePurpose {
    /// The object that an expression is evaluated with, and the values of variables.
    struct Evaluation {
        let object: Any?
        let bindings: NSMutableDictionary?
    }

    /// The identifier of the store that is asked; nil for any.
    var store: String?
    /// False to take nothing for what fetches find.
    var runsFetches = true
    /// What blocks are called with; nil where none can be called.
    var evaluation: Evaluation?
}
