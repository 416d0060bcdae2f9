// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// An object in a result, with its record as long as the snapshot stands.
struct ResultRow {
    let key: ObjectKey
    let record: RecordView
}
