import assert from "node:assert/strict";

/** Asserts a value read from each item, in order. */
export function assertMapped<Item>(
	items: readonly Item[],
	read: (item: Item) => unknown,
	expected: readonly unknown[],
	message?: string,
): void {
	assert.deepEqual(
		items.map((item) => read(item)),
		expected,
		message,
	);
}
