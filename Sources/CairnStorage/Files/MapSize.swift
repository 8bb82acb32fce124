internal import CairnLMDB
internal import Glibc

/// How much address space is taken for a file.
///
/// A process can hold about two thousand maps of 64 GiB; sanitizers and limits allow less, so a size that
/// cannot be had is halved.
struct MapSize {
    private static let usual = 64 << 30
    private static let least = 1 << 20
    private static let page = 1 << 16

    /// What to ask for first.
    let wanted: Int
    /// What must be had: enough for the file.
    let needed: Int

    /// - Parameters:
    ///   - fileByteCount: The length of the data file now.
    ///   - current: The size of the map that is to be replaced; 0 for the first.
    ///   - maximum: The largest size the file may reach, or nil.
    init(fileByteCount: Int, current: Int = 0, maximum: Int?) {
        let file = Self.roundedUp(fileByteCount)
        let generous = max(Self.usual, Self.multiplied(file, by: 8), Self.multiplied(current, by: 2))
        let largest = maximum.map { max(Self.roundedDown($0), Self.page) } ?? Int.max
        wanted = max(min(generous, largest), file)
        needed = min(max(file, current, Self.least), wanted)
    }

    /// Calls `attempt` with smaller and smaller sizes until one can be reserved.
    func reserve<Result: ~Copyable>(
        _ attempt: (Int) throws(LMDBError) -> Result
    ) throws(LMDBError) -> Result {
        var byteCount = wanted
        while true {
            do {
                return try attempt(byteCount)
            } catch {
                guard error.code == ENOMEM, byteCount > needed else { throw error }
                byteCount = max(Self.roundedUp(byteCount / 2), needed)
            }
        }
    }

    /// Whether address space of this size is there at the moment.
    static func isAvailable(_ byteCount: Int) -> Bool {
        guard let start = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            start != MAP_FAILED
        else { return false }
        munmap(start, byteCount)
        return true
    }

    private static func multiplied(_ byteCount: Int, by factor: Int) -> Int {
        let (product, overflows) = byteCount.multipliedReportingOverflow(by: factor)
        return overflows ? byteCount : product
    }

    private static func roundedUp(_ byteCount: Int) -> Int { roundedDown(byteCount + page - 1) }
    private static func roundedDown(_ byteCount: Int) -> Int { byteCount & ~(page - 1) }
}
