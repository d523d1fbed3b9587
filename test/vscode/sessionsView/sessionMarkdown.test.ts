import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionMarkdown } from "../../../src/vscode/sessionsView/exportSession.ts";
import { oneSession, oneTurn } from "../../webview/fakeSessions.ts";

test("a session is exported with questions, tools and answers; a result cannot close its own fence", () => {
	const call = { id: "1", name: "read_resource", input: { target: "a.md" } };
	const session = { ...oneSession(0).session, title: "Who keeps the *lamp*?", createdAt: 0, tokens: 12 };
	const { outcome: _cutOff, ...turn } = oneTurn(0, {
		...{ question: "Who?\nSay it.", attachments: ["notes.md"], answer: "**Lotte** [people.html:3-9]" },
		events: [{ kind: "toolFinished", call, ok: true, text: "```\nfence" }],
	});
	assert.equal(
		sessionMarkdown({ session, turns: [turn] }),
		[
			"# Who keeps the \\*lamp\\*?",
			"Started 1970-01-01T00:00:00.000Z, 12 tokens.",
			"## Turn 1",
			"> Who?\\\n> Say it.",
			"Attached: notes.md",
			"**Tool read\\_resource**",
			'```\n{\n  "target": "a.md"\n}\n```',
			"````\n```\nfence\n````",
			"**Lotte** [people.html:3-9]",
			"*The turn was cut off before it ended.*\n",
		].join("\n\n"),
	);
});
