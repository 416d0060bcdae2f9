// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// Albums with tracks in order; playlists with tracks, in order on both sides; unordered fans.
enum MusicModel {
    static func make(rule: NSDeleteRule = .nullifyDeleteRule) -> NSManagedObjectModel {
        let album = Build.entity("Album", [Build.attribute("name")])
        let track = Build.entity("Track", [Build.attribute("name")])
        let playlist = Build.entity("Playlist", [Build.attribute("name")])
        let tracks = Build.relationship("tracks", of: album, to: track, max: 0, rule: rule)
        tracks.isOrdered = true
        Build.inverse(tracks, Build.relationship("album", of: track, to: album, max: 1))
        let entries = Build.relationship("tracks", of: playlist, to: track, max: 0)
        let playlists = Build.relationship("playlists", of: track, to: playlist, max: 0)
        (entries.isOrdered, playlists.isOrdered) = (true, true)
        Build.inverse(entries, playlists)
        let bonus = Build.relationship("bonus", of: album, to: track, max: 0)
        bonus.isOrdered = true
        Build.inverse(
            Build.relationship("likes", of: playlist, to: track, max: 0),
            Build.relationship("likedBy", of: track, to: playlist, max: 0))
        Build.relationship("playing", of: playlist, to: track, max: 1).isTransient = true
        let queue = Build.relationship("queue", of: playlist, to: track, max: 0)
        (queue.isTransient, queue.isOrdered) = (true, true)
        return Build.model(album, track, playlist)
    }
}

extension Stack {
    /// An album with tracks of one-letter names, saved.
    func album(_ name: String, _ tracks: String) throws -> NSManagedObject {
        let album = context.make("Album", ["name": name])
        album.setValue(NSOrderedSet(array: self.tracks(tracks)), forKey: "tracks")
        try context.save()
        return album
    }

    /// New tracks of one-letter names.
    func tracks(_ names: String) -> [NSManagedObject] {
        names.map { context.make("Track", ["name": "\($0)"]) }
    }
}

extension NSManagedObject {
    func ordered(_ key: String) -> [NSManagedObject] {
        (value(forKey: key) as? NSOrderedSet)?.compactMap { $0 as? NSManagedObject } ?? []
    }

    /// The one-letter names of the destinations of an ordered relationship.
    func letters(_ key: String = "tracks") -> String {
        ordered(key).map { $0.text("name") }.joined()
    }

    /// The destination of a name.
    func track(_ name: String) throws -> NSManagedObject {
        guard let found = ordered("tracks").first(where: { $0.text("name") == name }) else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        return found
    }
}

extension NSOrderedSet {
    var letters: String {
        compactMap { ($0 as? NSManagedObject)?.text("name") }.joined()
    }
}
