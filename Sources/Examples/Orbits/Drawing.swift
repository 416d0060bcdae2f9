// SPDX-License-Identifier: Apache-2.0

import CoreData

extension Simulation {
    /// A picture of the sun and at most a number of bodies, as SVG.
    func drawing(upTo limit: Int = 5_000) -> String {
        let bodies = world.query(Position.self, Mass.self)
        let interval = max(1, (bodies.count + limit - 1) / limit)
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.2 -1.2 2.4 2.4">"#,
            ##"<rect x="-1.2" y="-1.2" width="2.4" height="2.4" fill="#001"/>"##,
            ##"<circle r="0.04" fill="#fd4"/>"##,
        ]
        var number = 0
        bodies.forEach { position, mass in
            defer { number += 1 }
            guard number % interval == 0 else { return }
            lines.append(
                ##"<circle cx="\##(position.x)" cy="\##(position.y)" "##
                    + ##"r="\##(0.002 + mass.amount * 0.004)" fill="#9cf"/>"##)
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    /// Writes the picture to a file.
    func draw(to url: URL) throws {
        try Data(drawing().utf8).write(to: url, options: .atomic)
    }
}
