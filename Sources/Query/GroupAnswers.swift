// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Makes rows of the sums of groups.
struct GroupAnswers {
    let question: GroupQuestion
    let sums: GroupSums
    let snapshot: StoreSnapshot

    /// The rows of those of some groups that the condition lets through.
    func rows(_ groups: [Int]) throws -> [[SubjectOperand]] {
        var rows: [[SubjectOperand]] = []
        for group in groups {
            let aggregates = aggregates(of: group)
            let row = try question.columns.map { try value(of: $0, group, aggregates) }
            if try holds(group, aggregates) { rows.append(row) }
        }
        return rows
    }

    /// The variables that stand for aggregates; none where nothing is computed of them.
    private func aggregates(of group: Int) -> [String: SubjectOperand] {
        guard question.isComputed else { return [:] }
        var variables: [String: SubjectOperand] = [:]
        for index in question.aggregates.indices {
            variables[GroupReduction.variable(index)] = sums.value(of: index, in: group)
        }
        return variables
    }

    private func value(
        of column: GroupQuestion.Column, _ group: Int, _ aggregates: [String: SubjectOperand]
    ) throws -> SubjectOperand {
        switch column {
        case .group(let index): sums.values(of: group)[index]
        case .aggregate(let index): sums.value(of: index, in: group)
        case .computed(let expression):
            try expression.value(with: SubjectOperand.value(.null), variables: aggregates)
        }
    }

    private func holds(_ group: Int, _ aggregates: [String: SubjectOperand]) throws -> Bool {
        guard let condition = question.condition else { return true }
        var variables = aggregates
        var columns: [String: SubjectOperand] = [:]
        for (name, column) in question.named {
            var value = try value(of: column, group, aggregates)
            // The object that members refer to, as evaluation on them has it.
            if case .group = column, case .value(.objectID(let key)) = value {
                value = .subject(RecordSubject(key, snapshot))
            }
            columns[name] = value
            variables[name] = value
        }
        return try condition.evaluate(with: GroupRow(columns: columns), variables: variables)
    }
}

/// A group as a condition on its columns sees it.
private struct GroupRow: PredicateSubject {
    let columns: [String: SubjectOperand]

    var predicateIdentity: ObjectKey? { nil }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        columns[key] ?? .value(.null)
    }
}
