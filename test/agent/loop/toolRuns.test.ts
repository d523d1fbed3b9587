import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssetShelf } from "../../../src/agent/assets/assetShelf.ts";
import { createToolRuns } from "../../../src/agent/loop/agentLoop.ts";
import type { ToolCall } from "../../../src/core/agent/agentEvent.ts";
import { ASSET_REF_SCHEMA } from "../../../src/core/agent/assetRef.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const never = new AbortController().signal;
const READ = "copilot-ld_read_resource";
let ids = 0;
function call(input: unknown, name = "search"): ToolCall {
	ids++;
	return { id: `c${ids}`, name, input };
}

/** A turn whose tools give what the test says, in the order of the calls that reach them. */
function open(results: readonly (string | Error)[], { steady = true } = {}) {
	const reached: ToolCall[] = [];
	const runs = createToolRuns({
		tools: ["search", READ].map((name) => ({ name, description: "", inputSchema: {} })),
		isSteady: () => steady,
		runTool: async (asked) => {
			const result = results[reached.length] ?? "nothing";
			reached.push(asked);
			if (result instanceof Error) throw result;
			return result;
		},
	});
	const run = async (asked: ToolCall) => (await runs.run(asked, never)).text;
	return { runs, run, reached };
}

test("the same call twice in a turn is made once, also side by side, and the second is pointed to the first", async () => {
	const { run, reached } = open(["found", "other"]);
	const [first, second] = await Promise.all([call({ q: 1 }), call({ q: 1 })].map(run));
	assert.equal(first, "found");
	assert.match(second ?? "", /this very call before.*target "copilot-ld-result:1"/);
	assert.deepEqual([await run(call({ q: 2 })), reached.length], ["other", 2]);
});

test("a call that failed may be made again", async () => {
	const { run } = open([new Error("not known: [a.md:1]"), "found"]);
	assert.equal(await run(call({ q: 1 })), "The tool failed: not known: (a.md:1)", "not shown");
	assert.equal(await run(call({ q: 1 })), "found");
});

test("a tool whose result may change is called each time", async () => {
	const { run } = open(["first", "second"], { steady: false });
	assert.deepEqual([await run(call({ q: 1 })), await run(call({ q: 1 }))], ["first", "second"]);
});

test("where a result is cut the model reads how to get the rest, and gets it", async () => {
	const long = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`).join("\n");
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

test("a pointer to nothing says so, and a resource is still read by its tool", async () => {
	const { run, reached } = open(["a resource"]);
	assert.match(await run(call({ target: "copilot-ld-result:7" }, READ)), /There is no result/);
	assert.match(await run(call({ target: "copilot-ld-result:x" }, READ)), /There is no result/);
	assert.equal(reached.length, 0);
	assert.equal(await run(call({ target: "docs/a.md:1-2" }, READ)), "a resource");
	assert.match(await run(call({ target: "copilot-ld-result:1:9-12" }, READ)), /has 1 lines/);
});

test("a line that is too long for pointers is broken, and nothing of it is lost", async () => {
	for (const [length, pieces] of [
		[4500, [2000, 2000, 500]],
		[4000, [2000, 2000]],
	] as const) {
		const lines = (await open(["x".repeat(length)]).run(call({ q: 1 }))).split("\n");
		const actual = lines.map((line) => line.length);
		assert.deepEqual(actual, pieces);
	}
});

const REFERRING = {
	type: "object",
	properties: {
		names: { anyOf: [{ type: "array", items: { type: "string" } }, ASSET_REF_SCHEMA] },
		words: { anyOf: [{ type: "string" }, ASSET_REF_SCHEMA] },
		plain: { type: "string" },
	},
};

function openSession(results: readonly string[], shelf = createAssetShelf()) {
	const inputs: unknown[] = [];
	const turn = () => {
		const runs = createToolRuns(
			{
				tools: [
					{ name: "plugin_a_b", description: "", inputSchema: REFERRING },
					{ name: READ, description: "", inputSchema: {} },
				],
				runTool: async ({ input }) => results[inputs.push(input) - 1] ?? "nothing",
			},
			shelf.of("s"),
		);
		return async (input: unknown, name = "plugin_a_b") => (await runs.run(call(input, name), never)).text;
	};
	return { turn, inputs };
}

test("a later turn reads what an earlier one was given, also a part of it, and its outline", async () => {
	const rows = [{ name: "a [x.md:1\u005d", n: 1 }, "/"];
	const { turn } = openSession([JSON.stringify({ rows, long: "x".repeat(99) })]);
	assert.match(await turn()({}), /\n\(this result is asset:\/\/1\)$/);
	const run = turn();
	assert.match(await run({ target: "copilot-ld-result:1" }, READ), /^Lines 1-1 of 1:\n\{"rows"/);
	assert.match(await run({ target: "asset://1/rows/0/n" }, READ), /^1\n/);
	assert.match(await run({ target: "asset://1/rows/0/name" }, READ), /^a \(x\.md:1\)\n/, "no citation");
	assert.match(
		await run({ target: "asset://1" }, READ),
		/^rows\/0\/name: "a \(x\.md:1\)"\nrows\/0\/n: 1\nrows\/1: "\/"\nlong: text of 99 characters\n/,
	);
});

test("what references lead to stands in their place where the tool takes them, and nowhere else", async () => {
	const { turn, inputs } = openSession([JSON.stringify({ names: ["a", "b"], more: "<|asset://1/names|>" })]);
	await turn()({});
	const run = turn();
	const all = "asset://1/names";
	await run({ names: all, words: "of <|asset://1/names/0|> and <|asset://1/more|>", plain: all });
	const field = (field_path: unknown[]) => ({ asset_id: 1, field_path });
	await run({ names: field(["names"]), words: { ...field(["names", 1]), asset_id: "1" } });
	assert.deepEqual(inputs.slice(1), [
		{ names: ["a", "b"], words: "of a and <|asset://1/names|>", plain: "asset://1/names" },
		{ names: ["a", "b"], words: "b" },
	]);
});

test("a reference to what is not there lists what is, and the call is not made", async () => {
	const { turn, inputs } = openSession([JSON.stringify({ rows: [1, 2], deep: { a: "b" } })]);
	const run = turn();
	await run({});
	const wrong = ["1/rows/2", "1/deep/__proto__", "1/deep/a/length", "2", "x/rows"];
	const said = await Promise.all(wrong.map((place) => run({ words: `asset://${place}` })));
	assertMapped(said, (text) => text.replace("The tool failed: ", ""), [
		"asset://1/rows has no “2”: it is a list; there are 0 to 1.",
		"asset://1/deep has no “__proto__”: there are: a.",
		"asset://1/deep/a has no “length”: it is text of 1 characters, and nothing is in it.",
		"There is no result 2 in this session. There are: 1. Copy the target from a note.",
		"There is no result 0 in this session. There are: 1. Copy the target from a note.",
	]);
	assert.equal(inputs.length, 1);
});

test("few references that stand for much too much are refused", async () => {
	const { turn, inputs } = openSession([JSON.stringify({ long: "x".repeat(250_000) })]);
	const run = turn();
	await run({});
	assert.match(await run({ words: "<|asset://1/long|>".repeat(9) }), /more than 2000000 characters/);
	assert.equal(inputs.length, 1);
});

test("the oldest results go first, whosesoever they are, and their readers hear it", () => {
	const shelf = createAssetShelf({ characters: 10, count: 3 });
	const add = (session: string, text: string) => shelf.of(session).add({ name: "t", about: "", text });
	add("a", "12345");
	add("b", "12345");
	assert.equal(add("a", "1"), 2);
	assert.throws(() => shelf.of("a").find(1), /Result 1 was dropped to make room/);
	assert.equal(shelf.of("b").find(1).text, "12345");
	add("b", "x".repeat(50));
	assert.throws(() => shelf.of("a").find(2), /dropped/);
	assert.equal(shelf.of("b").find(2).text.length, 50, "the newest stays");
	assert.throws(() => shelf.of("c").find(1), /There is no result 1 in this session\. There are: none yet/);
});
