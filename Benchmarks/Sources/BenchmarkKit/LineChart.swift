// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Curves of rates, on a logarithmic scale, over sizes or other steps, as SVG: one small chart a
/// task.
public struct LineChart: Sendable {
    /// A curve of a panel.
    public struct Line: Sendable {
        let series: String
        let values: [Double]

        /// Makes a curve with a rate for each step.
        public init(_ series: String, _ values: [Double]) {
            self.series = series
            self.values = values
        }
    }

    /// The curves of one task.
    public struct Panel: Sendable {
        let title: String
        let lines: [Line]

        /// Makes a panel.
        public init(_ title: String, _ lines: [Line]) {
            self.title = title
            self.lines = lines
        }
    }

    private let series: [String]
    private let steps: [String]
    private let panels: [Panel]
    private let note: String

    private static let columns = 3
    private static let width = 760
    private static let panelWidth = 240
    private static let panelHeight = 170
    private static let left = 46
    private static let plotHeight = 118

    /// Makes a chart.
    ///
    /// - Parameters:
    ///   - series: The names in the order of the legend.
    ///   - steps: What stands below the values of a curve, from left to right.
    ///   - panels: The panels in reading order.
    ///   - note: A line below.
    public init(series: [String], steps: [String], panels: [Panel], note: String) {
        self.series = series
        self.steps = steps
        self.panels = panels
        self.note = note
    }

    /// The file.
    public var svg: String {
        var body = ""
        for (index, name) in series.enumerated() {
            let x = 12 + index * 150
            body += "<path class=\"s\(index)\" stroke-width=\"3\" d=\"M\(x) 20h14\"/>"
            body += Drawing.text(name, x: x + 20, y: 24, "start")
        }
        for (index, panel) in panels.enumerated() {
            let x = 8 + index % Self.columns * (Self.panelWidth + 12)
            body += draw(panel, x: x, y: 40 + index / Self.columns * Self.panelHeight)
        }
        let rows = (panels.count + Self.columns - 1) / Self.columns
        let bottom = 40 + rows * Self.panelHeight + 16
        body += Drawing.text(note, x: 12, y: bottom, "start", style: "n")
        return Drawing.make(
            body, width: Self.width, height: bottom + 14, series: series.count, kind: .stroked)
    }

    private func draw(_ panel: Panel, x: Int, y: Int) -> String {
        let values = panel.lines.flatMap(\.values).filter { $0 > 0 && $0.isFinite }
        guard let least = values.min(), let greatest = values.max() else { return "" }
        // Whole powers of ten, and at least one of them between.
        let low = log10(least).rounded(.down)
        let high = max(low + 1, log10(greatest).rounded(.up))
        var body = Drawing.text(panel.title, x: x, y: y + 12, "start", style: "n")
        let (first, last) = (x + Self.left, x + Self.panelWidth)
        let (top, bottom) = (y + 22, y + 22 + Self.plotHeight)
        func height(_ power: Double) -> Int {
            bottom - Int((power - low) / (high - low) * Double(Self.plotHeight))
        }
        for power in stride(from: low, through: high, by: 1) {
            let line = height(power)
            body += "<line class=\"g\" x1=\"\(first)\" y1=\"\(line)\" "
            body += "x2=\"\(last)\" y2=\"\(line)\"/>"
            body += Drawing.text(
                Figures.rate(pow(10, power)), x: first - 4, y: line + 3, "end", style: "v")
        }
        for (position, step) in steps.enumerated() {
            body += Drawing.text(
                step, x: place(position, first, last), y: bottom + 13, "middle", style: "v")
        }
        for line in panel.lines {
            guard let index = series.firstIndex(of: line.series) else { continue }
            let points = line.values.enumerated().filter { $1 > 0 && $1.isFinite }.map {
                "\(place($0, first, last)) \(min(max(height(log10($1)), top), bottom))"
            }
            body += "<path class=\"s\(index)\" fill=\"none\" stroke-width=\"2\" "
            body += "d=\"M" + points.joined(separator: " L") + "\"/>\n"
        }
        return body
    }

    private func place(_ position: Int, _ first: Int, _ last: Int) -> Int {
        guard steps.count > 1 else { return (first + last) / 2 }
        return first + 10 + position * (last - first - 20) / (steps.count - 1)
    }
}
