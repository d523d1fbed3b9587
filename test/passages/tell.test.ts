import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { factsOf, tellAnswer } from "../../src/passages/tell.ts";

test("a listing says what it was counted in, and is complete only if that is all documents", () => {
	const citation = { path: "b.ttl", lines: { start: 2, end: 4 } };
	const listing = {
		kind: "count",
		what: "Lamp",
		total: 1,
		items: [{ label: "L20", citation }],
		truncated: false,
	} as const;
	const told = (found: Pick<SearchResult, "extent">) => {
		const [first] = tellAnswer({ listing, ...found });
		const { isComplete } = factsOf({ listing, ...found });
		return [first?.kind === "text" && first.text.trim(), isComplete];
	};
	assert.deepEqual(told({}), ["**1** × Lamp, counted in the graph of all documents:", true]);
	assert.deepEqual(told({ extent: "visible" }), ["**1** × Lamp, counted in what may be seen:", false]);
	assert.deepEqual(told({ extent: "read" }), [
		"**1** × Lamp, counted in the graph of the documents read so far:",
		false,
	]);
});
