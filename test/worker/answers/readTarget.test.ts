import assert from "node:assert/strict";
import { test } from "node:test";
import { targetsOf } from "../../../src/worker/answers/read.ts";

const lines = (start: number, end: number) => ({ start, end });

test("what is asked for may be an IRI, a path with or without lines, a URI or a label", () => {
	const cases: [string, ReturnType<typeof targetsOf>][] = [
		["Ada Byron", [{ name: "Ada Byron" }]],
		["<https://example.org/ada>", [{ name: "https://example.org/ada" }]],
		["./docs/a.md", [{ name: "docs/a.md" }]],
		["docs/a.md:3-9", [{ name: "docs/a.md:3-9" }, { name: "docs/a.md", lines: lines(3, 9) }]],
		["[docs/a b.md:7]", [{ name: "docs/a b.md", lines: lines(7, 7) }, { name: "docs/a b.md:7" }]],
		[
			"[x%5D %5B%.md:7]",
			[
				{ name: "x%5D %5B%.md", lines: lines(7, 7) },
				{ name: "x] [%.md", lines: lines(7, 7) },
				{ name: "x%5D %5B%.md:7" },
			],
		],
		["a.md:9-3", [{ name: "a.md:9-3" }, { name: "a.md", lines: lines(9, 9) }]],
		["file:///x/a%28b.md", [{ name: "file:///x/a(b.md" }]],
		["urn:isbn:1", [{ name: "urn:isbn:1" }, { name: "urn:isbn", lines: lines(1, 1) }]],
	];
	for (const [text, targets] of cases) assert.deepEqual(targetsOf(text), targets, text);
});
