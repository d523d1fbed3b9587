import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterOf } from "../../../src/base/http/persistent.ts";

test("Retry-After is seconds or a date", () => {
	const waitOf = (value: string) =>
		retryAfterOf(new Headers({ "retry-after": value }), Date.parse("2026-01-01T00:00:00Z"));
	assert.equal(waitOf("2"), 2000);
	assert.equal(waitOf("Thu, 01 Jan 2026 00:00:05 GMT"), 5000);
	assert.equal(waitOf("Thu, 01 Jan 2025 00:00:00 GMT"), 0);
	assert.equal(waitOf("soon"), undefined);
});
