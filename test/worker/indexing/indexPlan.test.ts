import assert from "node:assert/strict";
import { test } from "node:test";
import { documentsOf } from "../../../src/store/port/store.ts";
import { planIndexing } from "../../../src/worker/indexing/indexRun.ts";

const SIZES: Readonly<Record<string, number>> = {
	"archive.pdf": 2_000_000,
	"bill.docx": 10,
	"gannet.md": 10,
	"keeper.md": 10,
	"lamp.md": 10,
	"manual.pdf": 9_000_000,
	"open.pdf": 5_000_000,
};

test("texts come before files whose text is extracted, and large files last, the largest of them first, except those that somebody waits for", async () => {
	const files = Object.entries(SIZES).map(([path, size]) => {
		const uri = `file:///w/${path}`;
		return { uri, path: `/w/${path}`, size, modifiedMs: 0 };
	});
	const order = (first?: { uris: string[]; words: string[] }) => {
		const { changed } = planIndexing(files, documentsOf([]), { force: false, ...(first && { first }) });
		return changed.map(({ path }) => path.slice(3)).join(" ");
	};
	assert.equal(order(), "gannet.md keeper.md lamp.md bill.docx manual.pdf open.pdf archive.pdf");
	assert.equal(
		order({ uris: ["file:///w/open.pdf"], words: ["lamp"] }),
		"open.pdf lamp.md gannet.md keeper.md bill.docx manual.pdf archive.pdf",
	);
});
