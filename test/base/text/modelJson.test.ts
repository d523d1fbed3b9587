import assert from "node:assert/strict";
import { test } from "node:test";
import { readModelJson } from "../../../src/base/text/modelJson.ts";

test("what a model nearly wrote as JSON is read as it was meant", () => {
	const meant = { meets: true, why: "It says so." };
	const replies = [
		'{"meets": true, "why": "It says so."}',
		'```json\n{"meets": true, "why": "It says so."}\n```\nHope this helps!',
		'json {"meets": true, "why": "It says so."}',
		'Sure: {"meets": true, "why": "It says so."} — as asked.',
		"{'meets': True, 'why': 'It says so.',}",
		'{meets: true, why: "It says so." // the reason\n}',
	];
	for (const reply of replies) assert.deepEqual(readModelJson(reply), meant, reply);
	assert.deepEqual(readModelJson('{"path": "C:\\temp"}'), { path: "C:\temp" });
	assert.deepEqual(readModelJson('{"path": "C:\\kb\\x"}'), { path: "C:\\kb\\x" });
	assert.deepEqual(readModelJson("```\n[1, 2,]\n```"), [1, 2]);
});

test("what was cut short, or is no JSON at all, is not made up", () => {
	const replies = [
		...['{"path": "a.md", "text": "Del', '{"path": "a', '{"path":', '{"path": {"a": 1}', "{", "[1, 2"],
		...['{"a": {"b": 1}, "c": "del', '[{"a": 1}, {"b":', '{"cmd": "echo {x}', '{"a": 1}{"b": 2}'],
		...["", "I do not know.", "true story", `{${"[".repeat(300_000)}}`],
	];
	for (const reply of replies) assert.equal(readModelJson(reply), undefined, reply.slice(0, 40));
});
