internal import Foundation

/// What the machine itself can do, measured in the same run: the figures to hold the others against.
struct Machine {
    /// Doubles a second, summed over more of them than any cache holds.
    let doublesPerSecond: Double
    /// Doubles a second, summed over as many of them as there are rows.
    let doublesPerSecondOfColumn: Double
    /// The median of writing 4 KiB over a block that the file already has, and fdatasync.
    let flushSeconds: Double

    /// - Parameter directory: where the flushed file is made: on the disk that the databases are on.
    init(rowCount: Int, directory: String) throws {
        doublesPerSecond = Self.summingSpeed(doubleCount: 16 << 20)
        doublesPerSecondOfColumn = Self.summingSpeed(doubleCount: rowCount)
        flushSeconds = try Self.flushTime(path: "\(directory)/flush")
    }

    var memoryDescription: String {
        let bytes = doublesPerSecond * Double(MemoryLayout<Double>.size)
        return String(
            format: "%.1f GB/s, %.2f G doubles/s; a column of this length %.2f G doubles/s", bytes / 1e9,
            doublesPerSecond / 1e9, doublesPerSecondOfColumn / 1e9)
    }

    var flushDescription: String {
        String(
            format: "4 KiB pwrite + fdatasync here takes %.0f us (p50), so at most %.0f a second",
            flushSeconds * 1e6, 1 / flushSeconds)
    }

    private static func summingSpeed(doubleCount: Int) -> Double {
        var numbers = [Double](unsafeUninitializedCapacity: doubleCount) { buffer, count in
            for index in 0..<doubleCount { buffer.initializeElement(at: index, to: Double(index & 1_023)) }
            count = doubleCount
        }
        let rest = numbers.dropFirst().reduce(0, +)
        // Short arrays are summed until about as much has been read as of the long one.
        let repeatCount = max(1, (16 << 20) / doubleCount)
        let speeds = (0..<5).map { _ in
            let start = ContinuousClock.now
            var sum = 0.0
            for time in 0..<repeatCount {
                // Else the compiler takes the sum once.
                numbers[0] = Double(time)
                sum += numbers.withUnsafeBufferPointer(Self.sum)
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let expected = (0..<repeatCount).reduce(0) { $0 + Double($1) + rest }
            precondition(sum == expected, "the sum of whole numbers is exact")
            return Double(doubleCount * repeatCount) / seconds
        }
        return speeds.max() ?? 0
    }

    /// Four accumulators of four lanes: one alone would wait for each addition to end.
    @inline(never)
    private static func sum(_ numbers: UnsafeBufferPointer<Double>) -> Double {
        var sums = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
        let raw = UnsafeRawBufferPointer(numbers)
        let stride = 4 * MemoryLayout<SIMD4<Double>>.size
        var offset = 0
        while offset + stride <= raw.count {
            sums.0 += raw.loadUnaligned(fromByteOffset: offset, as: SIMD4<Double>.self)
            sums.1 += raw.loadUnaligned(fromByteOffset: offset + 32, as: SIMD4<Double>.self)
            sums.2 += raw.loadUnaligned(fromByteOffset: offset + 64, as: SIMD4<Double>.self)
            sums.3 += raw.loadUnaligned(fromByteOffset: offset + 96, as: SIMD4<Double>.self)
            offset += stride
        }
        let rest = numbers[(offset / 8)...].reduce(0, +)
        return (sums.0 + sums.1 + sums.2 + sums.3).sum() + rest
    }

    private static func flushTime(path: String) throws -> Double {
        let blockByteCount = 4_096
        let blockCount = 256
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw WrongResult(description: "\(path) cannot be made: errno \(errno)") }
        defer {
            close(file)
            unlink(path)
        }
        var block = [UInt8](repeating: 0xA5, count: blockByteCount)
        func write(_ place: Int) {
            block[0] = UInt8(truncatingIfNeeded: place)
            let written = pwrite(file, block, blockByteCount, (place % blockCount) * blockByteCount)
            precondition(written == blockByteCount, "the disk is full")
        }
        for place in 0..<blockCount { write(place) }
        fsync(file)
        let times = (0..<300).map { place in
            let start = ContinuousClock.now
            write(place * 7)
            fdatasync(file)
            return (ContinuousClock.now - start) / .seconds(1)
        }
        return times.median ?? 0
    }
}
