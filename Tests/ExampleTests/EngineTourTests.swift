import Testing

@Suite struct `The engine tour` {
    @Test func `prints what it does`() throws {
        let output = try Example.run("EngineTour")
        #expect(
            output == """
                stored 5 days and 20 missions
                Monday: 4 missions
                Tuesday: 4 missions
                Wednesday: 4 missions
                Thursday: 4 missions
                Friday: 4 missions
                mission 21 is "read a chapter", on Wednesday
                from Friday on, by start: run, read a chapter, no phone before breakfast, write the diary
                in a savepoint 20 missions are complete
                without it 10
                another session still sees 0
                and after its refresh 10
                a second mission 21: duplicateKey
                one mission deleted; the days have [3, 4, 4, 4, 4]
                since then 1 mission was added and 1 changed
                verified: nothing is wrong

                """)
    }
}
