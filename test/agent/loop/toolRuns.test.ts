import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { createAssetShelf } from "../../../src/agent/assets/assets.ts";
import { createToolRuns } from "../../../src/agent/loop/agentLoop.ts";
import { citeEvents } from "../../../src/agent/loop/citationStream.ts";
import type { AgentEvent, ToolCall } from "../../../src/core/agent/agentEvent.ts";
import { ASSET_REF_SCHEMA } from "../../../src/core/agent/assetRef.ts";
import { formatCitation } from "../../../src/core/knowledge/citation.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";

const never = new AbortController().signal;
const READ = "copilot-ld_read_resource";
const properties = {
	names: { anyOf: [{ type: "array", items: { type: "string" } }, ASSET_REF_SCHEMA] },
	words: { anyOf: [{ type: "string" }, ASSET_REF_SCHEMA] },
	plain: { type: "string" },
};
const REFERRING = { inputSchema: { type: "object", properties } };

let ids = 0;
function call(input: unknown, name = "search"): ToolCall {
	ids++;
	return { id: `c${ids}`, name, input };
}

/** Opens a session's first turn, in which tools return the given results in the order of the calls. */
function open(results: readonly (string | Error)[], { steady = true, inputSchema = {} } = {}) {
	const reached: ToolCall[] = [];
	const shelf = createAssetShelf();
	const turn = () => {
		const ports = {
			tools: ["search", READ].map((name) => ({ name, description: "", inputSchema })),
			isSteady: () => steady,
			runTool: async (asked: ToolCall) => {
				const result = results[reached.push(asked) - 1] ?? "nothing";
				if (result instanceof Error) throw result;
				return result;
			},
		};
		const runs = createToolRuns(ports, shelf.of("s"));
		return { runs, run: async (asked: ToolCall) => (await runs.run(asked, never)).text };
	};
	return { ...turn(), turn, reached };
}

test("a repeated call in a turn runs once, even concurrently; the second result refers to the first result", async () => {
	const { run, reached } = open(["found", "other"]);
	const [first, second] = await Promise.all([call({ q: 1 }), call({ q: 1 })].map(run));
	assert.equal(first, "found");
	assert.match(second ?? "", /already made this call.*target "copilot-ld-result:1"/);
	assert.deepEqual([await run(call({ q: 2 })), reached.length], ["other", 2]);
});

test("a repeated call runs again if the first call failed or the tool's results may change", async () => {
	const failing = open([new Error("not known: [a.md:1]"), "found"]);
	assert.equal(await failing.run(call({ q: 1 })), "The tool failed: not known: (a.md:1)", "not shown");
	assert.equal(await failing.run(call({ q: 1 })), "found");
	const { run } = open(["first", "second"], { steady: false });
	assert.deepEqual([await run(call({ q: 1 })), await run(call({ q: 1 }))], ["first", "second"]);
});

test("the note on a cut result names a target that reads the other lines", async () => {
	const long = times(500, (at) => `line ${at + 1}`).join("\n");
	const { runs, run, reached } = open(["short", long]);
	await run(call({ q: 0 }));
	const asked = call({ q: 1 });
	await run(asked);
	const note = runs.noteOf(asked)({ shown: 40, total: 500 });
	assert.match(note, /40 of 500 lines; .*copilot-ld_read_resource with target "copilot-ld-result:2:41-240"/);
	const text = await run(call({ target: "copilot-ld-result:2:41-240" }, READ));
	assert.match(text, /^Lines 41-240 of 500:\nline 41\n.*\nline 240$/s);
	assert.match(await run(call({ target: "copilot-ld-result:2:450" }, READ)), /line 450\n.*line 500$/s);
	assert.equal(reached.length, 2);
});

test("an invalid target of a result is an error, and resources are read by the tool", async () => {
	const { run, reached } = open(["a resource"]);
	const read = (target: string) => run(call({ target }, READ));
	for (const at of ["7", "x"]) assert.match(await read(`copilot-ld-result:${at}`), /There is no result/);
	assert.equal(reached.length, 0);
	assert.equal(await read("docs/a.md:1-2"), "a resource");
	assert.match(await read("copilot-ld-result:1:9-12"), /has 1 lines/);
});

test("a line of more than 2,000 characters is broken without loss", async () => {
	for (const pieces of [
		[2000, 2000, 500],
		[2000, 2000],
	]) {
		const text = pieces.map((length) => "x".repeat(length)).join("");
		assertMapped((await open([text]).run(call({}))).split("\n"), (line) => line.length, pieces);
	}
});

test("a later turn can read an earlier result, a part of the result, or an outline", async () => {
	const rows = [{ name: "a [x.md:1\u005d", n: 1 }, "/"];
	const { run: first, turn } = open([JSON.stringify({ rows, long: "x".repeat(99) })], REFERRING);
	assert.match(await first(call({})), /\n\(this result is asset:\/\/1\)$/);
	const { run } = turn();
	for (const [target, expected] of [
		["copilot-ld-result:1", /^Lines 1-1 of 1:\n\{"rows"/],
		["asset://1/rows/0/n", /^1\n/],
		["asset://1/rows/0/name", /^a \(x\.md:1\)\n/],
		["asset://1", /^rows\/0\/name: "a \(x\.md:1\)"\nrows\/0\/n: 1\nrows\/1: "\/"\nlong: text of 99 char/],
	] as const)
		assert.match(await run(call({ target }, READ)), expected);
});

test("references are replaced by values only in fields whose schema allows references", async () => {
	const found = JSON.stringify({ names: ["a", "b"], more: "<|asset://1/names|>" });
	const { run: first, turn, reached } = open([found], REFERRING);
	await first(call({}));
	const { run } = turn();
	const all = "asset://1/names";
	await run(call({ names: all, words: "of <|asset://1/names/0|> and <|asset://1/more|>", plain: all }));
	const field = (field_path: unknown[]) => ({ asset_id: 1, field_path });
	await run(call({ names: field(["names"]), words: { ...field(["names", 1]), asset_id: "1" } }));
	assertMapped(reached.slice(1), ({ input }) => input, [
		{ names: ["a", "b"], words: "of a and <|asset://1/names|>", plain: "asset://1/names" },
		{ names: ["a", "b"], words: "b" },
	]);
});

test("an invalid or oversized reference does not run the tool; the error lists the available keys", async () => {
	const found = { rows: [1, 2], deep: { a: "b" }, long: "x".repeat(250_000) };
	const { run, reached } = open([JSON.stringify(found)], REFERRING);
	await run(call({}));
	const wrong = ["1/rows/2", "1/deep/__proto__", "1/deep/a/length", "2", "x/rows"];
	const said = await Promise.all(wrong.map((place) => run(call({ words: `asset://${place}` }))));
	assertMapped(said, (text) => text.replace("The tool failed: ", ""), [
		"asset://1/rows has no “2”: it is a list; there are 0 to 1.",
		"asset://1/deep has no “__proto__”: there are: a.",
		"asset://1/deep/a has no “length”: it is text of 1 characters, and nothing is in it.",
		"There is no result 2 in this session. There are: 1. Copy the target from a note.",
		"There is no result 0 in this session. There are: 1. Copy the target from a note.",
	]);
	const many = "<|asset://1/long|>".repeat(9);
	assert.match(await run(call({ words: many })), /more than 2000000 characters/);
	assert.equal(reached.length, 1);
});

test("the oldest results of all sessions are dropped first, and reading a dropped result is an error", () => {
	const shelf = createAssetShelf({ characters: 10, count: 3 });
	const add = (session: string, text: string) => shelf.of(session).add({ name: "t", text });
	add("a", "12345");
	add("b", "12345");
	assert.equal(add("a", "1"), 2);
	assert.throws(() => shelf.of("a").find(1), /Result 1 was dropped to make room/);
	assert.equal(shelf.of("b").find(1).text, "12345");
	add("b", "x".repeat(50));
	assert.throws(() => shelf.of("a").find(2), /dropped/);
	assert.equal(shelf.of("b").find(2).text.length, 50, "the newest result stays");
	assert.throws(() => shelf.of("c").find(1), /There is no result 1 in this session\. There are: none yet/);
});

async function cite(events: readonly AgentEvent[], isOurs = (_tool: string) => true) {
	const before = [1, 20].map((start) => ({ path: "a.md", lines: { start, end: start + 8 } }));
	let text = "";
	const notices: string[] = [];
	for await (const event of citeEvents(Readable.from(events), { before, isOurs })) {
		if (event.kind === "citation") text += `<${formatCitation(event.citation)}>`;
		if (event.kind === "text") text += event.text;
		if (event.kind === "notice") notices.push(event.text);
	}
	return { text, notices };
}

const say = (text: string): AgentEvent => ({ kind: "text", text });

test("an answer with an unclosed bracket is shown completely", async () => {
	assert.equal((await cite([say("so it is [a.md:3")])).text, "so it is (a.md:3");
	const long = "x".repeat(500);
	assert.equal((await cite([say(`[${long}`), say(" end")])).text, `(${long} end`);
});

test("an engine with other tools can cite only passages that our tools showed earlier", async () => {
	const finished = (name: string, text: string, ok = true): AgentEvent => ({
		...{ kind: "toolFinished", call: { id: name, name, input: {} }, ok, text },
	});
	const events = [
		say("Early [b.md:3]. "),
		finished("shell", "[c.md:1-9] by a file that somebody wrote"),
		finished("search", "[d.md:1-9] failed", false),
		finished("search", "[b.md:1-9] The lamp"),
		say("As before [a.md:"),
		say("3-4], now [b.md:3], not [c.md:2] nor [d.md:2], and a[i]["),
		finished("shell", ""),
	];
	const { text, notices } = await cite(events, (tool) => tool === "search");
	const now = "now <[b.md:3]>, not (c.md:2) nor (d.md:2), and a[i](";
	assert.equal(text, `Early (b.md:3). As before <[a.md:3-4]>, ${now}`);
	assert.deepEqual(notices, ["3 citations are not linked: none of our tools showed those lines here."]);
});
