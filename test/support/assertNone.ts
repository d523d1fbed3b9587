import assert from "node:assert/strict";

export function assertNone(found: readonly unknown[]): void {
	assert.deepEqual(found, []);
}
