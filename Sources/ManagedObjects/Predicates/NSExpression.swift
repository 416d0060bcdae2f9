// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Traps

/// A computed value: of a column of a dictionary fetch, or of a batch update.
///
/// Foundation's class of the same name cannot be made on Linux. A file that imports Foundation by
/// itself says which one it means with `import class CoreData.NSExpression`.
open class NSExpression: NSObject {
    let tree: Predicates.Expression
    /// A constant that is no value of a predicate: a request or a context.
    private let tool: Any?

    init(tree: Predicates.Expression) {
        self.tree = tree
        tool = nil
        super.init()
    }

    /// A constant; a fetch request or a context, too, for ``NSFetchRequestExpression``.
    public init(forConstantValue value: Any?) {
        let isTool = value is NSPersistentStoreRequest || value is NSManagedObjectContext
        tool = isTool ? value : nil
        tree = .constant(isTool ? .value(.null) : PredicateConversion.operand(value))
        super.init()
    }

    /// The value at a key path of the object.
    public init(forKeyPath keyPath: String) {
        tree = .path(keyPath.split(separator: ".").map(String.init), of: .evaluatedObject)
        tool = nil
        super.init()
    }

    /// A variable, which a template or a having predicate gives a value.
    public init(forVariable name: String) {
        tree = .variable(name)
        tool = nil
        super.init()
    }

    /// A function of the predicate language by its selector, such as `sum:` or `add:to:`.
    ///
    /// - Parameters:
    ///   - name: The selector.
    ///   - parameters: Expressions; anything else is taken as a constant.
    public init(forFunction name: String, arguments parameters: [Any]) {
        tree = .function(
            name,
            parameters.map {
                ($0 as? NSExpression)?.tree ?? .constant(PredicateConversion.operand($0))
            })
        tool = nil
        super.init()
    }

    /// The object itself.
    open class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(tree: .evaluatedObject)
    }

    /// The expression's value for an object.
    ///
    /// Traps for what the object does not have.
    ///
    /// - Parameters:
    ///   - object: A managed object, or a value that stands for `SELF`.
    ///   - context: The values of variables by their names.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        if let tool { return tool }
        let managed = object as? NSManagedObject
        let subject =
            managed.map { .subject(ObjectSubject($0)) }
            ?? SubjectOperand(PredicateConversion.operand(object))
        var variables: [String: SubjectOperand] = [:]
        for (name, value) in context ?? [:] {
            variables["\(name)"] = SubjectOperand(PredicateConversion.operand(value))
        }
        do {
            let value = try tree.value(with: subject, variables: variables)
            return PredicateConversion.object(value, managed?.context)
        } catch {
            trap("\(self) cannot be evaluated: \(error)")
        }
    }

    /// The expression's text.
    open override var description: String { tool.map { "\($0)" } ?? "\(tree)" }
}
