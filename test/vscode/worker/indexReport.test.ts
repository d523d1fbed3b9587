import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { IndexReport, IndexStatus } from "../../../src/core/knowledge/knowledge.ts";
import {
	keptElsewhereText,
	reportText,
	statusDocument,
	stoppedText,
} from "../../../src/vscode/worker/indexReport.ts";
import { workspace } from "../../support/fakeVscode.ts";

test("if another program updates the index, the message names it and gives the size of the index", async () => {
	const status = async () => ({ documents: 1, passages: 1234 }) as IndexStatus;
	const kept = "The MCP server of Claude (process 7) keeps this index up to date.";
	const text = await keptElsewhereText(new Failure("BUSY", kept), status);
	assert.equal(text, `${kept} The index has 1 file, 1,234 passages.`);
	const other = new Failure("READ_ONLY", "Not from here.");
	await assert.rejects(keptElsewhereText(other, status), other);
});

const RUN = { indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 0, durationMs: 1234 };
const ALL = { documents: 17, passages: 142, resources: 0, quads: 0, skipped: {}, failed: [], flawed: 0 };
const NOTHING = { documents: 0, passages: 0 };
const UP_TO_DATE = "The index is up to date: 17 files, 142 passages.";
const UNREADABLE = "This folder has no files that Copilot-LD can read";
const EDITED = "1 file indexed, 2 removed in 1.2 s. The index has 1,300 files, 1 passage.";

test("a run's report gives its changes or the index's size, and skipped files; a stopped run gives its progress", () => {
	for (const [run, contents, told] of [
		[{ unchanged: 17 }, {}, UP_TO_DATE],
		[{ indexed: 1, removed: 2 }, { documents: 1300, passages: 1 }, EDITED],
		[{}, { failed: [{ path: "a", reason: "b" }] }, `${UP_TO_DATE} 1 file could not be read.`],
		[{}, { ...NOTHING, skipped: { "no reader for .png files": 3 } }, `${UNREADABLE} (3 skipped: .png).`],
		[{}, NOTHING, `${UNREADABLE}.`],
	] satisfies [Partial<IndexReport>, Partial<IndexReport["contents"]>, string][])
		assert.equal(reportText({ ...RUN, ...run, contents: { ...ALL, ...contents } }), told);
	const text = stoppedText({ done: 1000, total: 13_000, found: 0, current: "a.md" }, "Ask again.");
	assert.equal(text, "Stopped: 1,000 of 13,000 files indexed. Ask again.");
});

const STATUS: IndexStatus = {
	...{ ...ALL, state: "ready", described: 0, bytesOnDisk: 2_000_000, notices: [] },
	...{ embedder: "static-embedding-2-124965x256", legs: ["text", "vector"], engine: "lancedb" },
};

test("/status lists engine, model, store, graph and the engine for agents, without credentials", (t) => {
	const { getConfiguration } = workspace;
	t.after(() => Object.assign(workspace, { getConfiguration }));
	const assertRows = (chosen: Readonly<Record<string, unknown>>, rows: Readonly<Record<string, RegExp>>) => {
		const get = (name: string, fallback: unknown) => chosen[name] ?? fallback;
		workspace.getConfiguration = () => ({ get, inspect: () => undefined });
		const document = statusDocument(STATUS);
		for (const [name, value] of Object.entries(rows))
			assert.match(document.split(`\n| ${name} | `)[1]?.split(" |\n")[0] ?? "", value, name);
		assert.doesNotMatch(document, /secret/);
	};
	const own = { Searched: /LanceDB/, "Search model": /^built in/, "Stored in": /VS Code's storage/ };
	assertRows({}, { ...own, "Graph queries": /in the files/, "Agent chains run on": /Copilot CLI if/ });
	const chosen = {
		"storage.uri": "s3://team:secret@bucket/index?key=secret",
		"graph.endpoint": "https://me:secret@store.example/sparql?token=secret",
		"agents.engine": "model",
	};
	const others = { "Stored in": /bucket\/index/, "Graph queries": /store\.example\/sparql/ };
	assertRows(chosen, { ...others, "Agent chains run on": /^language model of VS Code/ });
});
