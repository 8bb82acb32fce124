// The other process of a test: `cairn-realm-child <file>`. It carries out the commands of its standard
// input, one a line, and answers each with a line. It ends with the input, with status 0; a trap or a signal
// is a failure of the test.
import Cairn
import Foundation
import RealmChildModels

guard let path = CommandLine.arguments.dropFirst().first else {
    FileHandle.standardError.write(Data("a file is wanted\n".utf8))
    exit(64)
}

var child = RealmChild(path: path)
while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    do {
        try child.carryOut(words[0], Array(words.dropFirst()))
    } catch let error as Realm.Error {
        say("\(error.code)")
    } catch {
        say("\(error)")
    }
}
