import assert from "node:assert/strict";
import { test } from "node:test";
import { describeDocument } from "../../../src/agent/describe/describeDocuments.ts";
import { fakeModel } from "../../support/fakeModel.ts";

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
