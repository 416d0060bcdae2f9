// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Bars of ratios on a logarithmic scale, as SVG: to the right of 1 is faster.
public struct BarChart: Sendable {
    /// The ratio of one series in a group.
    public struct Bar: Sendable {
        /// The series.
        public let series: String
        let ratio: Double

        /// Makes a bar.
        public init(_ series: String, _ ratio: Double) {
            self.series = series
            self.ratio = ratio
        }
    }

    /// Bars under a title.
    public struct Section: Sendable {
        let title: String
        let groups: [(label: String, bars: [Bar])]

        /// Makes a section.
        public init(_ title: String, _ groups: [(label: String, bars: [Bar])]) {
            self.title = title
            self.groups = groups
        }
    }

    /// The series in the order of the legend; the first is the one to look at.
    private let series: [String]
    private let sections: [Section]
    private let note: String

    private static let width = 760
    private static let labelWidth = 310
    private static let barHeight = 9
    private static let groupGap = 9
    /// Powers of two that the scale ends at; what is beyond is cut, and its number says so.
    private static let scale = -4.0...4.0

    /// Makes a chart.
    ///
    /// - Parameters:
    ///   - series: The names in the order of the legend.
    ///   - sections: The sections from top to bottom.
    ///   - note: A line below.
    public init(series: [String], sections: [Section], note: String) {
        self.series = series
        self.sections = sections.filter { !$0.groups.isEmpty }
        self.note = note
    }

    /// The file.
    public var svg: String {
        var body = ""
        var top = 24
        var left = 40
        for (index, name) in series.enumerated() {
            body += "<rect class=\"s\(index)\" x=\"\(left)\" y=\"\(top - 9)\" width=\"10\" "
            body += "height=\"10\"/>" + Drawing.text(name, x: left + 15, y: top, "start")
            left += 55 + 7 * name.count
        }
        for section in sections {
            top += 34
            body += Drawing.text(section.title, x: 12, y: top, "start", style: "b")
            top += 10
            let start = top
            var bars = ""
            for (label, group) in section.groups {
                top += Self.groupGap
                let middle = top + group.count * Self.barHeight / 2 + 4
                bars += Drawing.text(label, x: Self.labelWidth - 10, y: middle, "end")
                for bar in group {
                    bars += draw(bar, top)
                    top += Self.barHeight
                }
            }
            top += Self.groupGap
            body += grid(from: start, to: top) + bars
            top += 14
        }
        top += 20
        body += Drawing.text(note, x: 12, y: top, "start", style: "n")
        return Drawing.make(
            body, width: Self.width, height: top + 14, series: series.count, kind: .filled)
    }

    private func position(_ power: Double) -> Int {
        // Room for the numbers on both sides.
        let (left, right) = (Double(Self.labelWidth + 38), Double(Self.width - 44))
        let clamped = min(max(power, Self.scale.lowerBound), Self.scale.upperBound)
        let share =
            (clamped - Self.scale.lowerBound) / (Self.scale.upperBound - Self.scale.lowerBound)
        return Int(left + share * (right - left))
    }

    private func grid(from top: Int, to bottom: Int) -> String {
        stride(from: Self.scale.lowerBound, through: Self.scale.upperBound, by: 1).map { power in
            let x = position(power)
            let label = power < 0 ? "1/\(Int(exp2(-power)))" : "\(Int(exp2(power)))"
            return "<line class=\"\(power == 0 ? "o" : "g")\" x1=\"\(x)\" y1=\"\(top)\" "
                + "x2=\"\(x)\" y2=\"\(bottom)\"/>"
                + Drawing.text(label, x: x, y: bottom + 11, "middle", style: "v")
        }.joined()
    }

    private func draw(_ bar: Bar, _ top: Int) -> String {
        guard bar.ratio > 0, let index = series.firstIndex(of: bar.series) else { return "" }
        let (one, end) = (position(0), position(log2(bar.ratio)))
        let isFaster = end >= one
        return "<rect class=\"s\(index)\" x=\"\(min(one, end))\" y=\"\(top)\" "
            + "width=\"\(max(1, abs(end - one)))\" height=\"\(Self.barHeight - 1)\"/>"
            + Drawing.text(
                String(format: "%.2f", bar.ratio), x: isFaster ? end + 3 : end - 3, y: top + 8,
                isFaster ? "start" : "end", style: "v")
    }
}
