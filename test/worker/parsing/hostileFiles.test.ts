import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { test } from "node:test";
import { never, startIn } from "../workerProcess.ts";
import { type Files, makeWorkspace } from "../workspace.ts";

const GOOD = "# Beacon\n\nThe beacon of Dover burns whale oil.\n";

const levelOf = (at: number) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(9)}]`;
const levels = Array.from({ length: 9 }, (_, at) => levelOf(at));

const hostile: Files = {
	"zeros.md": new Uint8Array(1_000_000),
	"noise.txt": Uint8Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 251),
	"half.md": Uint8Array.from([0xff, 0xfe, 0x41]),
	"empty.html": "",
	"deep.html": "<div>".repeat(100_000),
	"deepItems.html": '<div itemscope itemprop="a">'.repeat(5_000),
	"attributes.html": `<p ${Array.from({ length: 50_000 }, (_, at) => `a${at}=1`).join(" ")}>x</p>`,
	"unclosed.html": `<script type="application/ld+json">${'{"a":['.repeat(50_000)}`,
	"bomb.md": `---\nl0: &l0 lol\n${levels.join("\n")}\n---\n# Bomb\n`,
	"line.md": "word ".repeat(400_000),
	"brackets.md": "[".repeat(10_000),
	"quotes.md": "> ".repeat(50_000),
	"stars.md": "*a **b ".repeat(50_000),
	"proto.md": "---\n__proto__: {polluted: yes}\nconstructor: 1\n---\n# P\n",
	"a%2fb ..?#\n.md": "# Odd name\n\nAn oddity.\n",
};

test("hostile files neither stop the index nor hide the others", async (t) => {
	const files = { "a.md": GOOD, ...hostile, "z.md": GOOD.replace("Dover", "Calais") };
	const workspace = await makeWorkspace(t, files);
	await mkdir(workspace.path("folder.md"));
	const socket = createServer().listen(process.platform === "win32" ? 0 : workspace.path("socket.md"));
	await once(socket, "listening");
	t.after(() => socket.close());
	const { index, search, knowledge } = await startIn(t, workspace);
	const report = await index();
	assert.ok(report.indexed >= 3);
	const best = (await search("whale oil beacon")).hits.slice(0, 2).map(({ path }) => path);
	assert.deepEqual(best.sort(), ["a.md", "z.md"]);
	const odd = await search("oddity");
	assert.equal(odd.hits[0]?.path, "a%2fb ..?#\n.md");
	const status = await knowledge.status(never);
	assert.equal(status.skipped["not a regular file"], process.platform === "win32" ? undefined : 1);
	t.diagnostic(JSON.stringify({ report, skipped: status.skipped, failed: status.failed }));
});
