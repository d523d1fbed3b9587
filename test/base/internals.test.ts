import assert from "node:assert/strict";
import { test } from "node:test";
import { internalsOf } from "../../src/base/internals.ts";

class Parser {
	readonly stack: readonly string[] = [];
}

test("a field that a library does not keep any more is told of at once", () => {
	const parser = new Parser();
	assert.equal(internalsOf<{ stack: unknown }>(parser, ["stack"]), parser);
	assert.throws(() => internalsOf<{ stack: unknown; queue: unknown }>(parser, ["stack", "queue"]), {
		message: "Parser has no queue any more.",
	});
});
