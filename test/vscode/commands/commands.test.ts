import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Failure } from "../../../src/base/failure.ts";
import { createRecorder } from "../../../src/base/traces/recorder.ts";
import type { IndexReport, IndexStatus } from "../../../src/core/knowledge/knowledge.ts";
import type { TurnTrace } from "../../../src/core/session/trace.ts";
import { contentsOf, metadataOf, type ReportParts } from "../../../src/protocol/problemReport.ts";
import { indexCommands } from "../../../src/vscode/commands/commands.ts";
import { describeReport, isBudget } from "../../../src/vscode/commands/describeCommand.ts";
import { LanguageModelError } from "../../support/fakeVscode.ts";
import { listed } from "../../support/listed.ts";

const AGAIN = "Run the command again to continue.";

test("a budget of descriptions is a whole number from 1", () => {
	for (const text of ["1", " 50 ", "1000"]) assert.ok(isBudget(text), text);
	for (const text of ["", "0", "-1", "1.5", "all", "1e3", "0x10"]) assert.ok(!isBudget(text), text);
});

test("the report on descriptions states the error first, then the documents described, refused and left", () => {
	assert.equal(describeReport({ described: 1, refused: 0, left: 0 }), "1 document was described.");
	const refused = "Without a usable answer from the model: 2.";
	const told = describeReport({ described: 12, refused: 2, left: 1200 });
	assert.equal(told, `12 documents were described. ${refused} Still without a description: 1,200. ${AGAIN}`);
	for (const [stoppedBy, words] of [
		[new Error("Enough for today."), "That did not work: Enough for today. 3 documents"],
		[new LanguageModelError("NoPermissions", "no"), "Copilot-LD is not allowed to use this language model."],
		[new Failure("BUSY", "Another window keeps it."), "Another window keeps it. 3 documents"],
	] as const)
		assert.ok(describeReport({ described: 3, refused: 0, left: 1, stoppedBy }).startsWith(words), words);
});

test("rebuilding the index starts after the end of the current run", async () => {
	const ended = [Promise.withResolvers<IndexReport>(), Promise.withResolvers<IndexReport>()];
	const runs: boolean[] = [];
	const index = ({ rebuild }: { rebuild: boolean }) => ended[runs.push(rebuild) - 1]?.promise;
	const commands = indexCommands({ readiness: { index }, knowledge: {} } as never);
	const first = commands["copilot-ld.indexWorkspace"]?.();
	const second = commands["copilot-ld.rebuildIndex"]?.();
	await setImmediate();
	assert.deepEqual(runs, [false]);
	for (const [at, command] of [first, second].entries()) {
		ended[at]?.reject(new Error(`the disk ${at} is full`));
		await assert.rejects(async () => command, { message: `the disk ${at} is full` });
	}
	assert.deepEqual(runs, [false, true]);
});

const SECRET = "hunter2-hunter2";
const NAME = "salaries.md";

const STATUS: IndexStatus = {
	...{ state: "ready", documents: 3, passages: 9, resources: 2, quads: 4, described: 0, flawed: 0 },
	bytesOnDisk: 10,
	...{ skipped: { [`excluded by ${NAME}`]: 2 }, failed: [{ path: NAME, reason: `bad password: ${SECRET}` }] },
	...{ embedder: `model of ${NAME}`, engine: "memory", legs: ["text"], notices: [`${NAME} is odd`] },
};
const TURN: TurnTrace = {
	...{ traceId: "0af7", spanId: "b7ad", kind: "agent", title: "chat", texts: { output: `token=${SECRET}` } },
	...{ startedAt: 1, durationMs: 20, outcome: "done", question: `What stands in ${NAME}?` },
	spans: [
		{
			...{ kind: "tool", title: `read ${NAME}`, startMs: 1, durationMs: 5, outcome: "done" },
			...{ spanId: "00f0", texts: { input: `token=${SECRET}` } },
			facts: { tokens: 5, query: NAME },
		},
	],
};

function parts(): ReportParts {
	const recorder = createRecorder(() => 1);
	recorder.note({ namespace: "worker", level: "error", event: "log", text: `${NAME}: token=${SECRET}` });
	const setting = (name: string, value: unknown, choices: readonly unknown[] = []) => ({
		...{ name: `copilot-LD.${name}`, value, isDefault: false, choices },
	});
	return {
		...{ at: 0, surroundings: { versions: { node: "24" } }, turns: [TURN], index: STATUS },
		settings: [
			setting("agent.maxRounds", 10),
			setting("storage.readOnly", true),
			setting("embedding.provider", "none", ["built-in", "none"]),
			setting("embedding.endpoint", `https://anna:${SECRET}@a.example/${NAME}`),
			setting("folders", [`/home/anna/${NAME}`]),
			setting("storage.options", { region: SECRET, secret_access_key: SECRET }),
			setting("new.token", SECRET),
		],
		worker: { uptimeMs: 5, residentMb: 100, entries: recorder.entries(), dropped: 0 },
		...{ entries: recorder.entries(), dropped: 0 },
	};
}

test("the metadata of a problem report contains no words of files, questions, logs or settings", () => {
	const text = JSON.stringify(metadataOf(parts()));
	for (const word of [SECRET, NAME, "anna", "example", "region"]) assert.ok(!text.includes(word), word);
	const told = '"contents":false | "copilot-LD.agent.maxRounds":10 | "none" | "(set)" | "failed":1';
	for (const fact of listed(`${told} | "skipped":2 | "tokens":5 | "residentMb":100`))
		assert.ok(text.includes(fact), fact);
});

test("the contents of a problem report include names and words, but no secrets and no home folder", () => {
	const text = JSON.stringify(contentsOf(parts(), { values: [], homes: [], names: [] }));
	for (const word of [SECRET, "/home/anna"]) assert.ok(!text.includes(word), word);
	for (const told of [NAME, '"contents":true', "What stands in", "region: (left out)", "a.example"])
		assert.ok(text.includes(told), told);
});
