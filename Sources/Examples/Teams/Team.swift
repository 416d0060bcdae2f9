// SPDX-License-Identifier: Apache-2.0

import CoreData

/// A team; its members play for other teams as well.
final class Team: NSManagedObject, Identifiable {
    @Managed var identifier: UUID
    @Managed var teamName: String
    @Managed var members: Set<NSManagedObject>

    var id: UUID { identifier }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        identifier = UUID()
    }
}
