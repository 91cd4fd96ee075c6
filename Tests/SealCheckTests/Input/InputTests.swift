import Foundation
import Testing

@testable import SealCheck

/// Paths that lead to nothing, and the words for it.
@Suite struct InputTests {
    @Test(.timeLimit(.minutes(1))) func paths() throws {
        let folder = try ScratchFolder()
        try folder.write("file", "x")
        try folder.makeLink("dangling", to: "nowhere")
        try folder.makeLink("loop", to: "loop")
        try ScratchFolder.run("/usr/bin/env", ["mkfifo", folder("pipe")])
        #expect(throws: InputProblem.standardInput) { try openInput("-") }
        for path in ["", folder("nothing"), folder("dangling"), folder("file/x"), folder("A.app\0")] {
            #expect(throws: InputProblem.notFound, "\(path)") { try openInput(path) }
        }
        #expect(throws: InputProblem.notAFile("FIFO")) { try openInput(folder("pipe")) }
        #expect(throws: InputProblem.notAFile("character device")) { try openInput("/dev/null") }
        #expect(throws: InputProblem.notReadable(call: "stat", errno: ELOOP)) { try openInput(folder("loop")) }

        var system = System.live
        system.open = { _, _ throws(SystemFault) in throw SystemFault("open", EACCES) }
        let problem = #expect(throws: InputProblem.notReadable(call: "open", errno: EACCES)) {
            try openInput(folder("file"), system: system)
        }
        #expect(problem?.message == "It cannot be read: Permission denied (open).")
    }

    @Test func everyProblemHasAnIdentifierOfItsOwnAndASentence() {
        let problems: [InputProblem] = [
            .standardInput, .notFound, .notReadable(call: "open", errno: 13), .notAFile("FIFO"), .changed, .emptyFile,
            .emptyFolder, .notAnApp(seen: nil), .notABundle(apps: []), .ambiguousFile, .malformedArchive("x"),
            .limitExceeded(.init("x", value: 2, limit: 1)), .emptyArchive, .noPayload(seen: []),
            .noUsableNames(example: "x"), .backslashNames, .nestedPayload("x"), .payloadCase("x"),
            .noAppInPayload(seen: ["a", "b", "c", "d", "e", "f"]), .appIsNoFolder("x"), .appSuffixCase("x"),
            .severalApps(["a", "b"]), .bundleAtTop("x"), .insideOfBundle, .noAppInXcarchive,
        ]
        #expect(Set(problems.map(\.id)).count == problems.count)
        for problem in problems {
            #expect(problem.id.allSatisfy { $0 == "-" || $0.isLowercase }, "\(problem.id)")
            #expect(problem.message.hasSuffix("."), "\(problem.message)")
            #expect(problem.hint != "", "\(problem.id)")
        }
        #expect(
            InputProblem.noAppInPayload(seen: ["a", "b", "c", "d", "e", "f"]).message
                == "There is no app in the Payload folder; it holds “a”, “b”, “c”, “d” and 2 more.")
    }
}
