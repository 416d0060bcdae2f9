// SPDX-License-Identifier: Apache-2.0

/// Ends the process because the program broke a rule, and says which on standard error.
///
/// The text is printed in every build: `-O` drops that of the standard library's
/// `preconditionFailure`, which would leave the user of a released program with a bare signal.
///
/// - Parameters:
///   - message: What was wrong, with the values that were.
///   - file: The caller's file; leave it out.
///   - line: The caller's line; leave it out.
@inline(never)
public func trap(
    _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError(message(), file: file, line: line)
}

/// Ends the process with a message unless a condition holds, in every build.
///
/// - Parameters:
///   - condition: The rule.
///   - message: What was wrong, with the values that were; made only when it is needed.
///   - file: The caller's file; leave it out.
///   - line: The caller's line; leave it out.
@inlinable @inline(__always)
public func require(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
) {
    guard _fastPath(condition()) else { trap(message(), file: file, line: line) }
}
