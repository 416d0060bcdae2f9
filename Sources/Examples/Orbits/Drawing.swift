// SPDX-License-Identifier: Apache-2.0

import CoreData

extension Simulation {
    /// How many units of the picture the distance 1 has.
    private static let scale: Float = 400

    /// From the slowest bodies to the fastest ones.
    private static let colours = [
        "#7ab8ff", "#a6cfff", "#d9e6ff", "#fff1d0", "#ffd98a", "#ffb84d",
    ]

    /// A picture of the sun and at most a number of bodies, as SVG.
    ///
    /// Each body is a stroke that ends where the body is and points where it goes.
    func drawing(upTo limit: Int = 2_400) -> String {
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480""#
                + #" viewBox="-480 -480 960 960">"#,
            ##"<rect x="-480" y="-480" width="960" height="960" fill="#050817"/>"##,
            ##"<circle r="34" fill="#ffd24d" opacity=".2"/><circle r="17" fill="#ffe9a8"/>"##,
            ##"<g fill="none" stroke-width="2.4" stroke-linecap="round" opacity=".9">"##,
        ]
        for (colour, strokes) in zip(Self.colours, strokes(upTo: limit)) where !strokes.isEmpty {
            lines.append(#"<path stroke="\#(colour)" d=""#)
            for start in stride(from: 0, to: strokes.count, by: 5) {
                lines.append(strokes[start..<min(start + 5, strokes.count)].joined())
            }
            lines.append(#""/>"#)
        }
        return (lines + ["</g>", "</svg>", ""]).joined(separator: "\n")
    }

    /// The strokes of at most a number of bodies, by colour.
    private func strokes(upTo limit: Int) -> [[String]] {
        var strokes = Self.colours.map { _ in [String]() }
        let bodies = world.query(Position.self, Velocity.self, Mass.self)
        let interval = max(1, (bodies.count + limit - 1) / limit)
        var number = 0
        bodies.forEach { position, velocity, mass in
            defer { number += 1 }
            guard number % interval == 0 else { return }
            let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
            let colour = min(max(Int((speed - 0.9) * 4.5), 0), strokes.count - 1)
            strokes[colour].append(Self.stroke(position, velocity, mass))
        }
        return strokes
    }

    /// The stroke of a body, the longer the more it weighs.
    private static func stroke(_ position: Position, _ velocity: Velocity, _ mass: Mass) -> String {
        let length = mass.amount * scale / 40
        func whole(_ number: Float) -> Int { Int(number.rounded()) }
        return "M\(whole(position.x * scale)) \(whole(position.y * scale))"
            + "l\(whole(-velocity.x * length)) \(whole(-velocity.y * length))"
    }

    /// Writes the picture to a file.
    func draw(to url: URL) throws {
        try Data(drawing().utf8).write(to: url, options: .atomic)
    }
}
