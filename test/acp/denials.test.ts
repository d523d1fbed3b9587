import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { wholeFile } from "../support/wholeFile.ts";
import { answerOf, requestFor, runnerOn, runToEnd, startRealCli, type TestAnswer } from "./realCli.ts";
import type { ScriptedReply, SeenRequest } from "./scriptedModelServer.ts";

function reply({ question, results }: SeenRequest): ScriptedReply {
	const [, lines] = /@@run ([^\n]*)/.exec(question) ?? [];
	if (lines === undefined || results.length > 0) return { text: ["All ", "well."] };
	const calls = lines
		.split(" @@and ")
		.map((command) => ({ name: "bash", input: { command, description: "Runs it" } }));
	return { calls };
}

const cli = await startRealCli(wholeFile(), reply);
const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });

describe("a call that a person denies on the real CLI", () => {
	const ask = (question: string, answer: (title: string) => TestAnswer) =>
		runToEnd(
			runnerOn(cli, session, { answer: ({ request }) => answer(request.title) }),
			requestFor(question),
		);
	const inWork = (name: string) => join(cli.work, name);

	test("tells the model why a person denied a call", async () => {
		const reason = "that file belongs to the harbour";
		const shown = await ask("@@run touch why.txt", () => ({ kind: "deny", reason }));
		assert.equal(existsSync(inWork("why.txt")), false);
		assert.equal(answerOf(shown), "All well.");
		const { results = [] } = cli.model.requests.at(-1) ?? {};
		assert.match(
			results.join("\n"),
			/I did not allow this call: touch why\.txt.*My reason: that file belongs to the harbour/,
		);
	});

	test("does not go on after a denied call where the person stopped the turn at another", async () => {
		const shown = await ask("@@run touch first.txt @@and touch second.txt", (title) =>
			title.includes("first") ? "reject" : "rejectAndStop",
		);
		assert.equal(answerOf(shown), "");
		assert.deepEqual([existsSync(inWork("first.txt")), existsSync(inWork("second.txt"))], [false, false]);
	});
});
