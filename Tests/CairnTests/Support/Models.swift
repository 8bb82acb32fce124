import Cairn
import Foundation

// The classes that most tests use. Every configuration of a test names the ones it needs.

final class Person: Object {
    @Persisted(primaryKey: true) var id = ObjectId.generate()
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted var bestFriend: Person?
    @Persisted var dogs: List<Dog>
    @Persisted(originProperty: "bestFriend") var bestFriendOf: LinkingObjects<Person>
}

final class Dog: Object {
    @Persisted var name: String
    @Persisted var weight: Double?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

enum Mood: Int, PersistableEnum {
    case calm = 3
    case wild = 7
}

enum Colour: String, PersistableEnum {
    case red
    case green
}

/// One property of every type.
final class AllTypes: Object {
    @Persisted(primaryKey: true) var key: Int
    @Persisted var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted var bool: Bool
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var uuid: UUID
    @Persisted var objectId: ObjectId
    @Persisted var decimal: Decimal128
    @Persisted var mood: Mood
    @Persisted var colour: Colour
}

/// One optional property of every type.
final class AllOptionals: Object {
    @Persisted(primaryKey: true) var key: String?
    @Persisted var int: Int?
    @Persisted var int8: Int8?
    @Persisted var int16: Int16?
    @Persisted var int32: Int32?
    @Persisted var int64: Int64?
    @Persisted var bool: Bool?
    @Persisted var float: Float?
    @Persisted var double: Double?
    @Persisted var string: String?
    @Persisted var data: Data?
    @Persisted var date: Date?
    @Persisted var uuid: UUID?
    @Persisted var objectId: ObjectId?
    @Persisted var decimal: Decimal128?
    @Persisted var mood: Mood?
    @Persisted var colour: Colour?
    @Persisted var link: AllOptionals?
}

/// A list of every type.
final class AllLists: Object {
    @Persisted(primaryKey: true) var key: UUID
    @Persisted var ints: List<Int>
    @Persisted var int8s: List<Int8?>
    @Persisted var int16s: List<Int16>
    @Persisted var int32s: List<Int32?>
    @Persisted var int64s: List<Int64>
    @Persisted var bools: List<Bool>
    @Persisted var optionalBools: List<Bool?>
    @Persisted var floats: List<Float>
    @Persisted var doubles: List<Double?>
    @Persisted var strings: List<String>
    @Persisted var optionalStrings: List<String?>
    @Persisted var datas: List<Data>
    @Persisted var dates: List<Date?>
    @Persisted var uuids: List<UUID>
    @Persisted var objectIds: List<ObjectId>
    @Persisted var decimals: List<Decimal128?>
    @Persisted var moods: List<Mood>
    @Persisted var colours: List<Colour?>
    @Persisted var objects: List<AllLists>
}
