import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { createInbox } from "../../../src/vscode/turn/turnQueue.ts";
import { wholeFile } from "../../support/wholeFile.ts";
import { answerOf, eventsOf, requestFor, runnerOn, runToEnd, startRealCli } from "../realCli.ts";
import { commandsIn } from "../scriptedModelServer.ts";

const cli = await startRealCli(wholeFile(), (request) => commandsIn(request) ?? { text: ["All well."] });

describe("words of the person for a turn that the real CLI is at work on", () => {
	async function speakDuring(command: string, words: string) {
		const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
		const inbox = createInbox();
		const taken: string[] = [];
		const since = cli.model.requests.length;
		const runner = runnerOn(cli, session, { answer: () => "once" });
		const request = requestFor(`@@run ${command}`, { steering: inbox });
		let isSaid = false;
		const shown = await runToEnd(runner, request, undefined, ({ kind }) => {
			if (kind !== "toolUpdated" || isSaid) return;
			isSaid = true;
			inbox.put(words, () => taken.push(words));
		});
		return { shown, taken, requests: cli.model.requests.slice(since) };
	}

	test("they reach the model with the result of the call at work, and the turn is not ended", async () => {
		const words = 'Be "short" \\n $(touch owned) `id` and\nkind 🕯';
		const { shown, taken, requests } = await speakDuring("echo one; sleep 1; echo two", words);
		assert.equal(shown.thrown, undefined);
		assert.equal(answerOf(shown), "All well.");
		assert.deepEqual(taken, [words]);
		assert.equal(requests.length, 2);
		assert.ok(requests[1]?.results[0]?.endsWith(words));
		assert.match(eventsOf(shown, "toolFinished")[0]?.text ?? "", /^one\ntwo\n[\s\S]*and\nkind 🕯$/);
		assert.deepEqual(readdirSync(cli.work), []);
	});

	test("they reach it also where the call fails", async () => {
		const { taken, requests } = await speakDuring("echo one; sleep 1; exit 3", "Stop trying.");
		assert.deepEqual(taken, ["Stop trying."]);
		assert.match(requests[1]?.results[0] ?? "", /Stop trying\.$/);
	});

	test("what no call took along stays a message of its own", async () => {
		const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
		const inbox = createInbox();
		const shown = await runToEnd(
			runnerOn(cli, session),
			requestFor("Hello", { steering: inbox }),
			undefined,
			({ kind }) => {
				if (kind === "text") inbox.put("Too late.", () => assert.fail("It was not taken along."));
			},
		);
		assert.equal(shown.thrown, undefined);
	});
});
