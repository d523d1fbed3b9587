import assert from "node:assert/strict";
import { test } from "node:test";
import { documentsOf } from "../../../src/store/port/store.ts";
import { planIndexing } from "../../../src/worker/indexing/indexPlan.ts";

const SIZES: Readonly<Record<string, number>> = {
	"archive.pdf": 2_000_000,
	"big.md": 900_000,
	"bill.docx": 10,
	"gannet.md": 10,
	"keeper.md": 10,
	"lamp.md": 10,
	"lamps/wick.md": 10,
	"manual.pdf": 9_000_000,
	"open.pdf": 5_000_000,
};

test("cheap files come first, then what is named like the question, and large files last, the largest of them first", async () => {
	const files = Object.entries(SIZES).map(([path, size]) => {
		const uri = `file:///w/${path}`;
		return { uri, path: `/w/${path}`, size, modifiedMs: 0 };
	});
	const order = (first?: { uris: string[]; words: string[] }) => {
		const options = { force: false, ...(first && { first }) };
		const { changed } = planIndexing(files, documentsOf([]), options, (uri) => uri.slice(10));
		return changed.map(({ path }) => path.slice(3)).join(" ");
	};
	const cheap = "gannet.md keeper.md lamp.md lamps/wick.md big.md bill.docx";
	assert.equal(order(), `${cheap} manual.pdf open.pdf archive.pdf`);
	assert.equal(
		order({ uris: ["file:///w/open.pdf"], words: ["lamp", "archive"] }),
		"open.pdf lamp.md lamps/wick.md gannet.md keeper.md big.md archive.pdf bill.docx manual.pdf",
	);
});
