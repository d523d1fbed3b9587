import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { citeEvents } from "../../../src/agent/loop/citationStream.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import { type Citation, formatCitation } from "../../../src/core/knowledge/citation.ts";

const shown: Citation[] = [
	{ path: "a.md", lines: { start: 1, end: 9 } },
	{ path: "a.md", lines: { start: 20, end: 29 } },
];

async function read(pieces: readonly string[]): Promise<string> {
	const said = pieces.map((piece): AgentEvent => ({ kind: "text", text: piece }));
	let text = "";
	for await (const event of citeEvents(Readable.from(said), { before: shown })) {
		if (event.kind === "citation") text += `<${formatCitation(event.citation)}>`;
		if (event.kind === "text") text += event.text;
	}
	return text;
}

test("an answer that ends within a bracket is not lost", async () => {
	assert.equal(await read(["so it is [a.md:3"]), "so it is (a.md:3");
});

test("a bracket that never closes does not hold the answer back for ever", async () => {
	const long = `[${"x".repeat(500)}`;
	assert.equal(await read([long, " end"]), `(${long.slice(1)} end`);
});

test("of an engine with tools of its own, only what ours showed it before is cited, here or in an earlier turn", async () => {
	const finished = (name: string, text: string, ok = true): AgentEvent => ({
		kind: "toolFinished",
		call: { id: name, name, input: {} },
		ok,
		text,
	});
	const say = (text: string): AgentEvent => ({ kind: "text", text });
	const events = (async function* () {
		yield say("Too early [b.md:3]. ");
		yield finished("shell", "[c.md:1-9] by a file that somebody wrote");
		yield finished("search", "[d.md:1-9] failed", false);
		yield finished("search", "[b.md:1-9] The lamp");
		yield say("As before [a.md:");
		yield say("3-4], now [b.md:3], never [c.md:2] nor [d.md:2], and arr[i][");
		yield finished("shell", "");
	})();
	let text = "";
	const notices: string[] = [];
	for await (const event of citeEvents(events, { before: shown, isOurs: (tool) => tool === "search" })) {
		if (event.kind === "citation") text += `<${formatCitation(event.citation)}>`;
		if (event.kind === "text") text += event.text;
		if (event.kind === "notice") notices.push(event.text);
	}
	assert.equal(
		text,
		"Too early (b.md:3). As before <[a.md:3-4]>, now <[b.md:3]>, never (c.md:2) nor (d.md:2), and arr[i](",
	);
	assert.deepEqual(notices, ["3 citations are not linked: none of our tools showed those lines here."]);
});
