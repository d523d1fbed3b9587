import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParsedDocument } from "../../../src/core/knowledge/document.ts";
import { withinLimits } from "../../../src/worker/parsing/readDocument.ts";

const lines = { start: 1, end: 1 };

const CHARACTERS = { statementCharacters: 30, passageCharacters: 40 };
const LIMITS = { statements: 5, passages: 4, resources: 3, problems: 2, ...CHARACTERS };

function documentOf({ quads = 1, passages = 1, resources = 1, problems = 1, length = 1 }): ParsedDocument {
	const term = { termType: "NamedNode", value: "x".repeat(length) } as const;
	return {
		title: "t",
		quads: Array.from({ length: quads }, () => ({ subject: term, predicate: term, object: term, lines })),
		passages: Array.from({ length: passages }, () => ({ title: "t", text: "x".repeat(length), lines })),
		resources: Array.from({ length: resources }, () => ({ id: "r", types: [], label: "r", lines })),
		problems: Array.from({ length: problems }, () => ({ severity: "warning", message: "m", lines })),
	};
}

function sizesOf({ quads, passages, resources, problems }: ParsedDocument): number[] {
	return [quads, passages, resources, problems].map(({ length }) => length);
}

test("a document within the limits is as it was", () => {
	const document = documentOf({ quads: 5, passages: 4, resources: 3, problems: 2 });
	assert.deepEqual(withinLimits(document, LIMITS), document);
});

for (const [what, given, sizes, told] of [
	["statements", { quads: 9 }, [5, 1, 1, 2], /only 5 of 9 statements are in the index/],
	["long statements", { quads: 4, length: 4 }, [2, 1, 1, 2], /only 2 of 4 statements/],
	["passages", { passages: 7 }, [1, 4, 1, 2], /only 4 of 7 passages/],
	["long passages", { passages: 3, quads: 0, length: 15 }, [0, 2, 1, 2], /only 2 of 3 passages/],
	["resources", { resources: 9, quads: 6 }, [5, 1, 3, 2], /5 of 6 statements and 3 of 9 resources/],
] as const)
	test(`a document with too many ${what} keeps the first ones, and the rest is reported`, () => {
		const kept = withinLimits(documentOf(given), LIMITS);
		assert.deepEqual(sizesOf(kept), sizes);
		assert.match(kept.problems[0]?.message ?? "", told);
		assert.match(kept.problems[0]?.message ?? "", /Split it/);
	});

test("of very many problems the first are kept", () => {
	assert.equal(withinLimits(documentOf({ problems: 9 }), LIMITS).problems.length, 2);
});
