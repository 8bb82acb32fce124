internal import CairnStorage

/// An observation whose listener asks for the next change when it wants it, and gets all that has happened
/// since the last one.
final class PulledObservation: Observation {
    private let inner: Observation
    private let turn: Turn
    private var announced: Version?

    /// - Parameter inner: what is observed; its block has the change.
    init(_ inner: Observation, _ turn: Turn) {
        self.inner = inner
        self.turn = turn
        super.init(inner.life)
    }

    override var isPulled: Bool { true }

    override func isDue(_ version: Version) -> Bool { announced != version && knownVersion != version }

    override func announce(_ version: Version) {
        announced = version
        turn.come()
    }

    override func bringForward(_ news: News?, _ session: RealmSession) -> (() -> Void)? {
        inner.knownVersion = knownVersion
        return inner.bringForward(news, session)
    }
}

/// Changes of something, for one loop: `for await change in dogs.changes`.
///
/// An element has all that has happened since the one before, up to where the Realm is when it is asked for; so
/// a slow loop misses nothing, and what it is told fits what it sees. Ends when what is observed is deleted,
/// the task is cancelled, or the Realm is invalidated.
public struct ChangeSequence<Element>: AsyncSequence {
    public typealias Failure = Never

    let begin: (Pull<Element>) -> NotificationToken

    /// Goes through the changes where the Realm belongs.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pull = Pull<Element>()
        private let token: NotificationToken

        fileprivate init(_ sequence: ChangeSequence) {
            token = sequence.begin(pull)
        }

        public mutating func next() async -> Element? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await pull.next(actor)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// What an iterator and its observation share, where the Realm belongs.
final class Pull<Element> {
    let turn = Turn()
    private var element: Element?
    private weak var session: RealmSession?
    private var observation: PulledObservation?

    /// For the block of the observation.
    func put(_ element: Element) { self.element = element }

    func attach(_ observation: PulledObservation, _ session: RealmSession) {
        self.observation = observation
        self.session = session
    }

    func next(_ actor: isolated (any Actor)?) async -> Element? {
        while let observation, let session, !Task.isCancelled {
            session.observers.pull(observation, session)
            if let element {
                self.element = nil
                return element
            }
            guard observation.life.isLive else { return nil }
            let turn = turn
            await withTaskCancellationHandler {
                await turn.wait(_isolation: actor)
            } onCancel: {
                turn.come()
            }
        }
        return nil
    }
}
