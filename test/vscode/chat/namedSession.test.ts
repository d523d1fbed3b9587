import assert from "node:assert/strict";
import { test } from "node:test";
import { meaning, namedSession } from "../../../src/vscode/chat/resumeChat.ts";

const id = "3f2a1c9d-0000-4000-8000-000000000000";

test("a chat that goes on is called after its session, and finds it again", () => {
	const named = namedSession({ id, title: "Where do the lenses lie?" });
	assert.equal(named, "Where do the lenses lie? (3f2a1c9d)");
	assert.equal(meaning(named)?.({ id, title: "renamed since" }), true);
	assert.equal(meaning(named)?.({ id: "other", title: "Where do the lenses lie?" }), false);
});

test("what VS Code would take for more than text is left out of a title", () => {
	const title = "@workspace /fix #file:a.md\n\u202eevil";
	assert.equal(namedSession({ id, title }), "workspace fix file:a.md evil (3f2a1c9d)");
	assert.equal(namedSession({ id, title: " @ " }), id);
});

test("an id is an id, and other words are words of a title", () => {
	assert.equal(meaning(id), undefined);
	assert.equal(meaning("no-such-session"), undefined);
	assert.equal(meaning("the LENSES")?.({ id, title: "Where do the lenses lie?" }), true);
});
