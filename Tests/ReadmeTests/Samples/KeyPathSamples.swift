// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about key paths.
enum KeyPathSamples {
    static func names() {
        // SAMPLE: PartialKeyPath+ManagedName.swift
        print((\Book.year).managedName)  // year
        print((\Book.author?.name).managedName)  // author.name
        let isNew = NSPredicate(format: "%K > 1990", (\Book.year).managedName)
        // SAMPLE: end
        _ = isNew
    }

    static func selectors() {
        // SAMPLE: NSSortDescriptor+Forms.swift
        let byName = NSSortDescriptor(
            key: "name", ascending: true, selector: "localizedStandardCompare:")
        // SAMPLE: end
        _ = byName
    }

    static func orders(_ request: NSFetchRequest<Book>) {
        // SAMPLE: NSSortDescriptor+Forms.swift
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.year, ascending: false)]
        // SAMPLE: end
        // SAMPLE: NSSortDescriptor+Forms.swift
        request.sortDescriptors = [SortDescriptor(\Book.year, order: .reverse)]
            .map(NSSortDescriptor.init)
        // SAMPLE: end
    }

    static func macro(_ request: NSFetchRequest<Book>) {
        // SAMPLE: NSPredicate+Macro.swift
        let year: Int32 = 1990
        request.predicate = NSPredicate(
            #Predicate<Book> { $0.year > year && $0.title.contains("x") })
        // SAMPLE: end
    }

    static func both(_ request: NSFetchRequest<Book>) {
        // SAMPLE: Fetching.md
        request.predicate = NSPredicate(
            #Predicate<Book> { $0.year > 1990 && $0.author?.name == "Ann" })
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Book.author?.name, ascending: true),
            NSSortDescriptor(
                keyPath: \Book.title, ascending: true, selector: "caseInsensitiveCompare:"),
            NSSortDescriptor(SortDescriptor(\Book.year, order: .reverse)),
        ]
        // SAMPLE: end
    }
}
