import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { IndexStatus } from "../../../src/core/knowledge/knowledge.ts";
import { keptElsewhereText } from "../../../src/vscode/worker/indexReport.ts";

const status = async () => ({ documents: 1, passages: 1234 }) as IndexStatus;

test("where another program keeps the index, a person is told which, and what there is to search", async () => {
	const busy = new Failure("BUSY", "The MCP server of Claude (process 7) keeps this index in step.");
	assert.equal(
		await keptElsewhereText(busy, { status }),
		"The MCP server of Claude (process 7) keeps this index in step. It holds 1 file in 1,234 passages.",
	);
	const other = new Failure("READ_ONLY", "Not from here.");
	await assert.rejects(keptElsewhereText(other, { status }), other);
});
