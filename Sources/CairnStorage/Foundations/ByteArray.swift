extension [UInt8] {
    /// `withUnsafeBytes` that keeps the type of what its body throws, which the standard library's
    /// does not yet.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes { bytes in
            Swift.Result { () throws(Failure) in try body(bytes) }
        }.get()
    }
}
