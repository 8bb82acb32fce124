internal import CRuntime
internal import Glibc

/// One inotify instance: tells which of its files were written to.
///
/// Any thread may add and remove files and wake; one thread waits and drains.
package final class FileEvents: Sendable {
    /// A watched file: all names of one inode are the same file.
    package typealias FileID = Int32

    /// What the queue held.
    package struct Batch: Equatable {
        /// Files that were written to.
        package var modified: Set<FileID> = []
        /// Files that are gone: nobody has them open any more, and they have no name. Their number is
        /// no longer valid.
        package var gone: Set<FileID> = []
        /// Events were lost: any file may have been written to.
        package var hasOverflown = false
        /// The instance itself is of no more use.
        package var isBroken = false

        package init() {}
    }

    private let queue: Int32
    private let waker: Int32

    /// Opens an instance; nil where there is none to be had: the limit of instances or of
    /// descriptors is reached, or the system has no inotify.
    package init?() {
        let queue = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard queue != -1 else { return nil }
        let waker = cairn_make_waker()
        guard waker != -1 else {
            close(queue)
            return nil
        }
        self.queue = queue
        self.waker = waker
    }

    deinit {
        close(queue)
        close(waker)
    }

    /// Begins to watch the file that has the path now; what comes under the path later is another
    /// file. Nil where it cannot be watched: it is not there, or the limit of watches is reached.
    package func add(path: String) -> FileID? {
        let file = inotify_add_watch(queue, path, UInt32(IN_MODIFY))
        return file == -1 ? nil : file
    }

    /// Ends watching. Fails, without harm, for a file that is gone.
    package func remove(_ file: FileID) {
        inotify_rm_watch(queue, file)
    }

    /// Waits until there are events or `wake` was called, or the deadline (`MonotonicTime`) passes;
    /// nil waits without limit. May return for no reason.
    ///
    /// - Returns: false when the instance is of no more use.
    package func wait(until deadline: Duration?) -> Bool {
        let result = cairn_wait(queue, waker, deadline.map(FileEvents.nanoseconds(until:)) ?? -1)
        if result & Int32(cairn_second_readable) != 0 { cairn_clear_waker(waker) }
        return result & Int32(cairn_descriptor_lost) == 0
    }

    /// Rounded up, so that whoever waited for a moment does not come too early; a minute at the most,
    /// since waking for no reason is allowed.
    private static func nanoseconds(until deadline: Duration) -> Int64 {
        let left = min(max(.zero, deadline - MonotonicTime.now), .seconds(60)).components
        return left.seconds * 1_000_000_000 + (left.attoseconds + 999_999_999) / 1_000_000_000
    }

    /// Ends the present `wait`, or else the next.
    package func wake() {
        cairn_wake(waker)
    }

    /// Takes all events out of the queue.
    ///
    /// inotify merges an event into the last one in the queue when they are equal. That loses nothing:
    /// what is read here was queued, and merged, before the read.
    package func drain() -> Batch {
        var batch = Batch()
        // Room for hundreds of events: those of a file have no name, 16 bytes each.
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while true {
                let count = read(queue, buffer.baseAddress!, buffer.count)
                if count > 0 {
                    FileEvents.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &batch)
                } else if count == 0 || errno != EINTR {
                    batch.isBroken = count == 0 || errno != EAGAIN
                    return
                }
            }
        }
        return batch
    }

    /// Goes through `struct inotify_event`s: watch (4 bytes), mask (4), cookie (4), length of the name
    /// (4), name.
    private static func parse(_ bytes: UnsafeRawBufferPointer, into batch: inout Batch) {
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= bytes.count {
            let file = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let nameByteCount = bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
            offset += MemoryLayout<inotify_event>.size + Int(nameByteCount)
            if mask & UInt32(IN_Q_OVERFLOW) != 0 { batch.hasOverflown = true }
            if mask & UInt32(IN_MODIFY) != 0 { batch.modified.insert(file) }
            if mask & UInt32(IN_IGNORED) != 0 { batch.gone.insert(file) }
        }
    }
}
