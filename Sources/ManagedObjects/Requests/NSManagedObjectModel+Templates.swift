// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

extension NSManagedObjectModel {
    /// The fetch requests that the model keeps by name.
    public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        templates
    }

    /// The template of a name: shared, so not to be changed.
    public func fetchRequestTemplate(
        forName name: String
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]
    }

    /// Keeps a request under a name, or forgets the one there is; traps once the model is in use.
    public func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        templates[name] = fetchRequestTemplate
    }

    /// A new request, made of the template of a name with values in place of variables.
    ///
    /// - Parameters:
    ///   - name: The template's name.
    ///   - variables: The values by the names of the variables, without dollar signs.
    /// - Returns: `nil` without such a template.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = templates[name] else { return nil }
        let request = template.duplicate()
        request.predicate = template.predicate?.withSubstitutionVariables(variables)
        return request
    }
}
