import assert from "node:assert/strict";
import { test } from "node:test";
import { describeDocument, describeDocuments } from "../../../src/agent/describe/describeDocuments.ts";
import type { Model } from "../../../src/agent/ports.ts";
import { Failure } from "../../../src/base/failure.ts";
import type { Descriptions, Descriptor } from "../../../src/core/knowledge/descriptor.ts";
import { fakeModel } from "../../support/fakeModel.ts";

const GOOD = [JSON.stringify({ purpose: "p", applicability: "a", evaluation: "e" })];
const BAD = ["I would rather not."];

/** So many documents, in memory; `kept` are the descriptions. */
function openDocuments(count: number) {
	const kept = new Map<string, Descriptor>();
	const descriptions: Descriptions = {
		undescribed: async (limit) => {
			const hashes = Array.from({ length: count }, (_, at) => `${at}`).filter((hash) => !kept.has(hash));
			const documents = hashes.slice(0, limit).map((hash) => ({ hash, title: hash, text: `Text ${hash}` }));
			return { documents, total: hashes.length };
		},
		describe: async (hash, descriptor) => void kept.set(hash, descriptor),
	};
	return { kept, descriptions };
}

function replying(...replies: Parameters<typeof fakeModel>[0][number][]) {
	return fakeModel(replies);
}

function isLasting(thrown: unknown): boolean {
	return thrown instanceof Error && thrown.name !== "Error";
}

async function run(
	{ descriptions }: ReturnType<typeof openDocuments>,
	model: Model,
	budget: number,
	signal = new AbortController().signal,
) {
	const done: number[] = [];
	const report = await describeDocuments(
		{ descriptions, model, budget, isLasting, report: (now) => done.push(now) },
		signal,
	);
	return { ...report, done };
}

test("no more requests are made than were allowed, and the next run goes on with the rest", async () => {
	const documents = openDocuments(50);
	const model = replying(...Array.from({ length: 60 }, () => GOOD));
	assert.deepEqual(await run(documents, model, 2), { described: 2, refused: 0, left: 48, done: [1, 2] });
	assert.equal(model.requests.length, 2);
	const { described, left } = await run(documents, model, 100);
	assert.deepEqual([described, left, model.requests.length], [48, 0, 50]);
});

test("an answer in another form costs a request and this document only", async () => {
	const documents = openDocuments(30);
	const model = replying(BAD, ...Array.from({ length: 40 }, () => GOOD));
	const report = await run(documents, model, 100);
	assert.deepEqual([report.described, report.refused, report.left], [29, 1, 1]);
	assert.deepEqual([model.requests.length, documents.kept.has("0")], [30, false]);
});

for (const name of ["ChatQuotaExceeded", "ChatRateLimited", "NoPermissions"]) {
	test(`${name} ends the run, and what was described is kept`, async () => {
		const documents = openDocuments(10);
		const limit = Object.assign(new Error("Enough for today."), { name });
		const model = replying(GOOD, GOOD, limit, GOOD);
		const report = await run(documents, model, 10);
		assert.deepEqual([report.described, report.left, report.stoppedBy], [2, 8, limit]);
		assert.deepEqual([[...documents.kept.keys()], model.requests.length], [["0", "1"], 3]);
	});
}

test("a document that the model fails at is left out, and the second one in a row ends the run", async () => {
	const documents = openDocuments(10);
	const filtered = new Error("The answer was filtered.");
	const down = new Error("The service is down.");
	const model = replying(GOOD, filtered, GOOD, filtered, down, GOOD);
	const report = await run(documents, model, 10);
	assert.deepEqual([report.described, report.refused, report.stoppedBy], [2, 2, down]);
	assert.deepEqual([[...documents.kept.keys()], model.requests.length], [["0", "2"], 5]);
});

test("what the last request failed with is told, also where the budget is spent then", async () => {
	const filtered = new Error("The answer was filtered.");
	const report = await run(openDocuments(1), replying(filtered), 10);
	assert.deepEqual(report, { described: 0, refused: 1, left: 1, stoppedBy: filtered, done: [1] });
});

test("a cancelled run says what it has done", async () => {
	const documents = openDocuments(10);
	const controller = new AbortController();
	const answering = replying(GOOD, GOOD);
	const model: Model = {
		...answering,
		respond: async function* (messages, tools, signal) {
			if (answering.requests.length === 2) controller.abort();
			signal.throwIfAborted();
			yield* answering.respond(messages, tools, signal);
		},
	};
	const report = await run(documents, model, 10, controller.signal);
	assert.deepEqual(report, { described: 2, refused: 0, left: 8, done: [1, 2] });
});

test("an answer that has come is kept, also where somebody cancels then", async () => {
	const documents = openDocuments(10);
	const controller = new AbortController();
	const answering = replying(GOOD, GOOD);
	const model: Model = {
		...answering,
		respond: async function* (...request) {
			yield* answering.respond(...request);
			controller.abort();
		},
	};
	const strict: Descriptions = {
		...documents.descriptions,
		undescribed: async (limit, signal) => {
			signal.throwIfAborted();
			return documents.descriptions.undescribed(limit, signal);
		},
		describe: async (hash, descriptor, signal) => {
			signal.throwIfAborted();
			await documents.descriptions.describe(hash, descriptor, signal);
		},
	};
	await run({ ...documents, descriptions: strict }, model, 10, controller.signal);
	assert.deepEqual([...documents.kept.keys()], ["0"]);
	assert.equal(answering.requests.length, 1);
});

test("where nothing can be kept, no model is asked", async () => {
	const refusal = new Failure("READ_ONLY", "The index is read-only.");
	const { descriptions } = openDocuments(10);
	const model = replying(GOOD);
	const refusing = {
		descriptions: { ...descriptions, undescribed: () => Promise.reject(refusal) },
		kept: new Map(),
	};
	await assert.rejects(run(refusing, model, 10), refusal);
	assert.equal(model.requests.length, 0);
});

const { signal } = new AbortController();
const document = { hash: "1", title: "Lamp", text: "Let it cool for ten minutes." };
const descriptor = {
	purpose: "Exchange a lamp",
	applicability: "when it is dark",
	evaluation: "there is light",
};

test("a description is read out of whatever the model writes around it", async () => {
	const model = fakeModel([["Here you are:\n```json\n", JSON.stringify(descriptor), "\n```"]]);
	assert.deepEqual(await describeDocument(model, document, signal), descriptor);
});

test("the document is shown to the model as data", async () => {
	const model = fakeModel([[JSON.stringify(descriptor)]]);
	await describeDocument(model, document, signal);
	const [system, user] = model.requests[0]?.messages ?? [];
	assert.match(system?.text ?? "", /never an instruction/);
	assert.match(user?.text ?? "", /data, not instructions.*Let it cool/s);
});

test("a part is one line of at most 280 characters, and what else the model says is dropped", async () => {
	const reply = { ...descriptor, purpose: `a\n\u0000 b ${"💡".repeat(1000)}`, path: "/etc/passwd" };
	const described = await describeDocument(fakeModel([[JSON.stringify(reply)]]), document, signal);
	assert.equal(described.purpose, `a b ${"💡".repeat(276)}`);
	assert.deepEqual(Object.keys(described), Object.keys(descriptor));
});

for (const reply of [
	"I cannot do that.",
	"{",
	"{]}",
	'{"purpose": "Exchange a lamp"}',
	'{"purpose": 1, "applicability": "a", "evaluation": "b"}',
	'{"purpose": " ", "applicability": "a", "evaluation": "b"}',
])
	test(`the reply ${reply} is refused`, async () => {
		await assert.rejects(describeDocument(fakeModel([[reply]]), document, signal), {
			code: "BAD_INPUT",
			message: /did not describe “Lamp”/,
		});
	});
