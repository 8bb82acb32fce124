/// An engine that runs the workloads.
///
/// One instance is one database in a directory of its own; the runner makes a new one each round and
/// calls the workloads in the order of ``Workload/all``. Each method opens and ends its own transaction
/// or snapshot, so that this is part of the time. What is changed must be readable by the next call.
///
/// *Ordinary* writes survive the process and leave a sound file after a power cut, which may undo the
/// last ones (SQLite's `synchronous=NORMAL`); *durable* ones survive the power cut.
///
/// To add an engine: conform a class to this protocol in a file of its own and name it in
/// `Contenders.all`.
protocol Contender: AnyObject {
    /// The name in the table, and the key in the JSON lines.
    static var name: String { get }

    /// Makes an empty database, schema included, in the directory, which exists and is empty.
    init(directory: String, data: Dataset) throws

    /// Stores missions `0..<rowCount` in one ordinary write, with an index on the key.
    func insertBulk() throws -> Answer
    /// The same with indexes on the start time and the text besides. Throws ``DoesNotTakePart`` where the
    /// engine has none.
    func insertIndexed() throws -> Answer
    /// The same, a thousand missions an ordinary write.
    func insertInThousands() throws -> Answer
    /// Stores missions `rowCount..<missions.count`, a durable write each.
    func insertSmall() throws -> Answer
    /// Stores all lists with their links, which can be followed from both ends, in one ordinary write.
    func insertLists() throws -> Answer

    /// Finds the missions of ``Dataset/lookups`` by their key. Sum of the start times; count of the
    /// bytes of their texts, plus one for each that is complete.
    func lookUp() throws -> Answer
    /// Sum of all start times and count of the complete missions, as fast as the engine has it.
    func aggregate() throws -> Answer
    /// The same, reading the two fields of each mission as typed values.
    func scanRows() throws -> Answer
    /// Sum of the start times of each list's missions, and their count.
    func followLists() throws -> Answer
    /// Sum of `today` of the list that each of the missions `0..<rowCount` is in, and their count.
    func followBacklinks() throws -> Answer

    /// Sets `isComplete` of every mission, one after the other, to the opposite of what the data set
    /// says, in one ordinary write. Count of the missions.
    func updateEach() throws -> Answer
    /// Deletes the missions at even places below `rowCount`, and takes them out of their lists, in one
    /// ordinary write. Count of the missions.
    func deleteHalf() throws -> Answer

    /// Closes the database; then, the given number of times, opens it, looks up a mission by the key of
    /// the n-th lookup, and closes it. Leaves it open. Sum of the start times, and their count.
    func open(times: Int) throws -> Answer

    /// The size of the file when everything is in it. Not timed.
    func byteCount() throws -> Int
    /// Everything that is stored, read field by field. Not timed.
    func contents() throws -> Digest
    /// Closes the database; no other call follows. Not timed.
    func close() throws
}

/// A workload is not for this contender: it has no figure there.
struct DoesNotTakePart: Error {}

/// A contender whose answer or contents are not what they must be.
struct WrongResult: Error, CustomStringConvertible {
    let description: String
}
