// The other process of a test: `cairn-store-child <subcommand> <arguments>`. Each subcommand prints what it
// has seen, a line each, and ends with status 0; a trap or a signal is a failure of the test.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst(2))

switch CommandLine.arguments.dropFirst().first {
case "hold": FileCommands.hold(arguments)
case "open": FileCommands.open(arguments)
case "open-as-nobody": FileCommands.openAsNobody(arguments)
case "open-and-close-often": FileCommands.openAndCloseOften(arguments)
case "write-under-file-limit": FileCommands.writeUnderFileLimit(arguments)
case "open-under-address-limit": FileCommands.openUnderAddressLimit(arguments)
case "end-uncleanly": FileCommands.endUncleanly(arguments)
case "fork": ForkCommand.run(arguments)
case "fork-store": ForkCommand.runStore(arguments)
case "ledger-write": LedgerCommands.write(arguments)
case "ledger-reopen": LedgerCommands.reopen(arguments)
case "ledger-turns": LedgerCommands.turns(arguments)
case "ledger-hold": LedgerCommands.hold(arguments)
case "ledger-open": LedgerCommands.open(arguments)
case "ledger-open-as-nobody": LedgerCommands.openAsNobody(arguments)
case "ledger-file-limit": LedgerCommands.fileLimit(arguments)
case "foreign-hold": LedgerCommands.holdForeign(arguments)
case "small-writes": MemoryCommand.run(arguments)
case "relay": LedgerCommands.relay(arguments)
default:
    FileHandle.standardError.write(Data("unknown subcommand\n".utf8))
    exit(64)
}
