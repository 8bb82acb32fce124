package import Cairn
import Foundation

// A class in two versions, for processes that migrate a file.

package enum OldParcels {
    package final class Parcel: Object {
        @Persisted(primaryKey: true) package var id: Int
        @Persisted package var weight: Int
        @Persisted package var label: String

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

package enum NewParcels {
    package final class Parcel: Object {
        @Persisted(primaryKey: true) package var id: Int
        @Persisted package var weight: String
        @Persisted(indexed: true) package var title: String
        @Persisted package var isSent = true

        package override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// A file of parcels, in its old and its new version.
package enum ParcelFile {
    package static func old(_ path: String) -> Realm.Configuration {
        configuration(path, 0, OldParcels.Parcel.self)
    }

    /// With a block that changes every parcel.
    package static func new(_ path: String) -> Realm.Configuration {
        var configuration = configuration(path, 1, NewParcels.Parcel.self)
        configuration.migrationBlock = { migration, _ in
            migration.renameProperty(onType: "Parcel", from: "label", to: "title")
            migration.enumerateObjects(ofType: "Parcel") { old, new in
                new?["weight"] = "\(old?["weight"] as? Int ?? -1) g"
                new?["title"] = "new " + (old?["label"] as? String ?? "")
            }
        }
        return configuration
    }

    private static func configuration(
        _ path: String, _ version: UInt64, _ type: ObjectBase.Type
    ) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), schemaVersion: version, objectTypes: [type])
        configuration.durability = .lastCommitAtRisk
        return configuration
    }

    package static func fill(_ realm: Realm, count: Int) throws {
        try realm.write {
            for id in 0..<count {
                realm.create(
                    OldParcels.Parcel.self,
                    value: ["id": id, "weight": id * 3, "label": "parcel \(id)"] as [String: Any])
            }
        }
    }

    /// What the file has: "old" or "new" with the number of parcels, if every one of them is whole.
    package static func summary(_ path: String) throws -> String {
        if try schemaVersionAtURL(URL(fileURLWithPath: path)) == 0 {
            let parcels = try Realm(configuration: old(path)).objects(OldParcels.Parcel.self)
            let isWhole = parcels.enumerated().allSatisfy {
                $1.id == $0 && $1.weight == $0 * 3 && $1.label == "parcel \($0)"
            }
            return "old \(parcels.count)\(isWhole ? "" : " broken")"
        }
        let realm = try Realm(configuration: new(path))
        let parcels = realm.objects(NewParcels.Parcel.self)
        let isWhole = parcels.enumerated().allSatisfy {
            $1.id == $0 && $1.weight == "\($0 * 3) g" && $1.title == "new parcel \($0)" && $1.isSent
        }
        let isFound = realm.object(ofType: NewParcels.Parcel.self, forPrimaryKey: parcels.count / 2) != nil
        return "new \(parcels.count)\(isWhole && isFound ? "" : " broken")"
    }
}
