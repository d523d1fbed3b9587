import assert from "node:assert/strict";
import { test } from "node:test";
import { findAgain, fingerprint } from "../../src/evidence/fingerprint.ts";

const TEXT =
	"# Lights\n\nGannet Rock Light is 41 metres high.\nIts attendant is Ida Fenwick.\n\n# Horns\n\nThe horn is tested in September.\n";
const span = fingerprint(
	{ path: "a.md", lines: { start: 3, end: 4 } },
	"Gannet Rock Light is 41 metres high.\nIts attendant is Ida Fenwick.",
);

test("lines that only got other indentation are the same", () => {
	assert.deepEqual(findAgain(span, TEXT.replace("Its", "\t Its")), { kind: "same" });
});

test("lines that stand elsewhere are found word for word", () => {
	assert.deepEqual(findAgain(span, `One\nTwo\nThree\n${TEXT}`), {
		kind: "moved",
		lines: { start: 6, end: 7 },
	});
});

test("of two that are the same, the nearer one is found", () => {
	const twice = `${TEXT}${TEXT}${"\n".repeat(40)}`.replace(/^/, "New\n");
	assert.deepEqual(findAgain(span, twice), { kind: "moved", lines: { start: 4, end: 5 } });
});

test("lines that were changed are said to be, with those that are most like them", () => {
	const changed = `New\n${TEXT.replace("41", "43")}`;
	assert.deepEqual(findAgain(span, changed), { kind: "changed", lines: { start: 4, end: 5 } });
	assert.deepEqual(findAgain(span, "Something else entirely.\n"), { kind: "changed" });
});

test("what is kept of lines is nothing that can be read", () => {
	const kept = JSON.stringify(span);
	for (const word of ["Gannet", "gannet", "Fenwick", "41", "attendant"])
		assert.ok(!kept.includes(word), word);
	assert.ok(kept.length < 400);
});

test("lines without telling words are known by their hash alone", () => {
	const short = fingerprint({ path: "a.md", lines: { start: 1, end: 1 } }, "a b");
	assert.deepEqual(findAgain(short, "a b"), { kind: "same" });
	assert.deepEqual(findAgain(short, "x\na b"), { kind: "changed" });
});
