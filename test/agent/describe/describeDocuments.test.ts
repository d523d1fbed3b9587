import assert from "node:assert/strict";
import { test } from "node:test";
import { describeDocument, describeDocuments } from "../../../src/agent/describe/describeDocuments.ts";
import type { Model } from "../../../src/agent/ports.ts";
import { Failure } from "../../../src/base/failure.ts";
import type { Descriptions, Descriptor } from "../../../src/core/knowledge/descriptor.ts";
import { fakeModel } from "../../support/fakeModel.ts";

const GOOD = [JSON.stringify({ purpose: "p", applicability: "a", evaluation: "e" })];
const BAD = ["I would rather not."];

/** Creates documents in memory; `kept` has their descriptions. */
function openDocuments(count: number) {
	const kept = new Map<string, Descriptor>();
	const descriptions: Descriptions = {
		undescribed: async (limit, signal) => {
			signal.throwIfAborted();
			const hashes = Array.from({ length: count }, (_, at) => `${at}`).filter((hash) => !kept.has(hash));
			const documents = hashes.slice(0, limit).map((hash) => ({ hash, title: hash, text: `Text ${hash}` }));
			return { documents, total: hashes.length };
		},
		describe: async (hash, descriptor, signal) => {
			signal.throwIfAborted();
			kept.set(hash, descriptor);
		},
	};
	return { kept, descriptions };
}

const isLasting = (thrown: unknown) => thrown instanceof Error && thrown.name !== "Error";

const { signal: never } = new AbortController();

type Documents = Pick<ReturnType<typeof openDocuments>, "descriptions">;

async function run({ descriptions }: Documents, model: Model, budget: number, signal = never) {
	const done: number[] = [];
	const ports = { descriptions, model, budget, isLasting, report: (now: number) => done.push(now) };
	return { ...(await describeDocuments(ports, signal)), done };
}

test("a run describes at most the allowed number of documents, and the next run continues", async () => {
	const documents = openDocuments(50);
	const model = fakeModel(Array.from({ length: 60 }, () => GOOD));
	assert.deepEqual(await run(documents, model, 2), { described: 2, refused: 0, left: 48, done: [1, 2] });
	assert.equal(model.requests.length, 2);
	const { described, left } = await run(documents, model, 100);
	assert.deepEqual([described, left, model.requests.length], [48, 0, 50]);
});

const filtered = new Error("The answer was filtered.");
const down = new Error("The service is down.");
const limit = Object.assign(new Error("Enough for today."), { name: "ChatQuotaExceeded" });

for (const [what, count, replies, kept, expected] of [
	["an invalid answer skips only one document", 3, [BAD, GOOD, GOOD], ["1", "2"], [2, 1, undefined]],
	["a lasting limit ends the run", 9, [GOOD, GOOD, limit], ["0", "1"], [2, 0, limit]],
	["two failures in a row end the run", 9, [GOOD, filtered, GOOD, filtered, down], ["0", "2"], [2, 2, down]],
	["the last request's error is reported", 1, [filtered], [], [0, 1, filtered]],
] as const)
	test(`${what}, and finished descriptions are kept`, async () => {
		const documents = openDocuments(count);
		const model = fakeModel([...replies, GOOD]);
		const { described, refused, left, stoppedBy } = await run(documents, model, 10);
		assert.deepEqual([described, refused, stoppedBy, left], [...expected, count - described]);
		assert.deepEqual([[...documents.kept.keys()], model.requests.length], [kept, replies.length]);
	});

test("a cancelled run reports the progress and keeps an answer that has arrived", async () => {
	const documents = openDocuments(10);
	const controller = new AbortController();
	const answering = fakeModel([GOOD, GOOD]);
	const model: Model = {
		...answering,
		respond: async function* (...request) {
			yield* answering.respond(...request);
			controller.abort();
		},
	};
	const report = await run(documents, model, 10, controller.signal);
	assert.deepEqual(report, { described: 1, refused: 0, left: 9, done: [1] });
	assert.deepEqual([[...documents.kept.keys()], answering.requests.length], [["0"], 1]);
});

test("if descriptions cannot be stored, the model is not asked", async () => {
	const refusal = new Failure("READ_ONLY", "The index is read-only.");
	const { descriptions } = openDocuments(10);
	const model = fakeModel([GOOD]);
	const refusing = { ...descriptions, undescribed: () => Promise.reject(refusal) };
	await assert.rejects(run({ descriptions: refusing }, model, 10), refusal);
	assert.equal(model.requests.length, 0);
});

const document = { hash: "1", title: "Lamp", text: "Let it cool for ten minutes." };
const descriptor = { purpose: "Exchange a lamp", applicability: "in the dark", evaluation: "there is light" };

test("the document is sent as data, and the description is found within the model's text", async () => {
	const model = fakeModel([["Here you are:\n```json\n", JSON.stringify(descriptor), "\n```"]]);
	assert.deepEqual(await describeDocument(model, document, never), descriptor);
	const [system, user] = model.requests[0]?.messages ?? [];
	assert.match(system?.text ?? "", /never an instruction/);
	assert.match(user?.text ?? "", /data, not instructions.*Let it cool/s);
});

test("each part of a description is a line of at most 280 characters, and unknown fields are dropped", async () => {
	const reply = { ...descriptor, purpose: `a\n\u0000 b ${"💡".repeat(1000)}`, path: "/etc/passwd" };
	const described = await describeDocument(fakeModel([[JSON.stringify(reply)]]), document, never);
	assert.equal(described.purpose, `a b ${"💡".repeat(276)}`);
	assert.deepEqual(Object.keys(described), Object.keys(descriptor));
});

test("a reply without a description is an error with the document's name", async () => {
	const rest = { applicability: "a", evaluation: "b" };
	const parts = [{ purpose: "Exchange a lamp" }, { purpose: 1, ...rest }, { purpose: " ", ...rest }];
	for (const reply of ["I cannot do that.", "{", "{]}", ...parts.map((part) => JSON.stringify(part))]) {
		const asked = describeDocument(fakeModel([[reply]]), document, never);
		await assert.rejects(asked, { code: "BAD_INPUT", message: /“Lamp”/ }, reply);
	}
});
