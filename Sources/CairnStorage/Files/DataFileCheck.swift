internal import Glibc

/// Looks at a data file before LMDB does: LMDB takes a file that was cut, and a signal follows later.
struct DataFileCheck {
    /// What was found in a file that may be opened.
    enum Finding: Hashable {
        /// Nothing at all: LMDB makes its first pages.
        case empty
        case database
    }

    private let path: String

    /// Checks both meta pages, the page size and the length, and changes nothing.
    ///
    /// Other processes may write the file meanwhile. Throws `notADatabase`, `newerFormat`, `damaged` or
    /// `cutShort`, or what the operating system says.
    static func check(_ file: borrowing FileDescriptor, path: String) throws(StorageError) -> Finding {
        let check = DataFileCheck(path: path)
        guard try check.byteCount(of: file) > 0 else { return .empty }
        // A writer commits while this looks: what was read of two commits at once proves nothing.
        for _ in 0..<100 {
            let metas = try check.metas(of: file)
            let isLongEnough = try check.isLongEnough(file, metas)
            if isLongEnough { return .database }
            if try check.metas(of: file) == metas { throw check.cutShort }
        }
        // The file changes faster than it can be read, so whoever has it open can reach all of it.
        return .database
    }

    private func byteCount(of file: borrowing FileDescriptor) throws(StorageError) -> Int {
        do { return try file.status().byteCount } catch {
            throw FileFailure.error(error, .opening, path: path)
        }
    }

    private func read(
        _ file: borrowing FileDescriptor, at offset: Int
    ) throws(StorageError) -> [UInt8] {
        do {
            return try file.read(at: offset, count: MetaPage.byteCount)
        } catch {
            throw FileFailure.error(error, .opening, path: path)
        }
    }

    // MARK: - Meta pages

    private func metas(of file: borrowing FileDescriptor) throws(StorageError) -> [MetaPage] {
        var last: [MetaPage] = []
        // A meta page that is being written may be read half old and half new.
        for _ in 0..<100 {
            let first = try firstMeta(of: file)
            let second = try secondMeta(of: file, pageByteCount: first.pageByteCount)
            if last == [first, second] { break }
            last = [first, second]
        }
        return last
    }

    private func firstMeta(of file: borrowing FileDescriptor) throws(StorageError) -> MetaPage {
        let bytes = try read(file, at: 0)
        guard let meta = MetaPage(bytes) else { throw try notAMetaPage(file, bytes) }
        guard meta.version == MetaPage.version else {
            throw StorageError(
                .newerFormat,
                "The database '\(path)' has version \(meta.version) of the page format, and this program knows \(MetaPage.version). Use a newer version of the program."
            )
        }
        guard MetaPage.pageByteCounts.contains(meta.pageByteCount) else {
            throw damaged("its page size cannot be \(meta.pageByteCount) bytes")
        }
        return meta
    }

    private func secondMeta(
        of file: borrowing FileDescriptor, pageByteCount: Int
    ) throws(StorageError) -> MetaPage {
        let bytes = try read(file, at: pageByteCount)
        guard bytes.count == MetaPage.byteCount else { throw cutShort }
        guard let meta = MetaPage(bytes), meta.version == MetaPage.version,
            meta.pageByteCount == pageByteCount
        else { throw damaged("its second meta page is none") }
        return meta
    }

    /// What is wrong with a file that does not begin with a meta page.
    private func notAMetaPage(
        _ file: borrowing FileDescriptor, _ bytes: [UInt8]
    ) throws(StorageError) -> StorageError {
        if bytes.count >= 20, bytes.count < MetaPage.byteCount,
            bytes.integer(at: 16, as: UInt32.self) == MetaPage.magic
        {
            return cutShort
        }
        for offset in MetaPage.pageByteCounts {
            if let second = MetaPage(try read(file, at: offset)), second.pageByteCount == offset {
                return damaged("its first meta page is none")
            }
        }
        return StorageError(
            .notADatabase,
            "The file '\(path)' is not a Cairn database. Check the path; the file was left as it is.")
    }

    // MARK: - Length

    private func isLongEnough(
        _ file: borrowing FileDescriptor, _ metas: [MetaPage]
    ) throws(StorageError) -> Bool {
        guard let newest = metas.max(by: { $0.transaction < $1.transaction }) else { return false }
        let byteCount = try byteCount(of: file)
        let pageCount = byteCount / newest.pageByteCount
        if UInt64(pageCount) > newest.lastPage { return true }
        // More pages than addresses: no free list holds them.
        guard pageCount >= 2, newest.lastPage < UInt64(Int.max / newest.pageByteCount) else { return false }
        do {
            return try FreePageScan.missingPagesAreFree(in: file, of: newest, fileByteCount: byteCount)
        } catch {
            throw FileFailure.error(error, .opening, path: path)
        }
    }

    // MARK: - Errors

    private var cutShort: StorageError {
        StorageError(
            .cutShort,
            "The database '\(path)' ends before its last page: it was cut, or copied in part. Restore a whole copy, or salvage what can be read."
        )
    }

    private func damaged(_ what: String) -> StorageError {
        StorageError(
            .damaged,
            "The database '\(path)' is damaged: \(what). Restore a copy, or salvage what can be read.")
    }
}
