import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "marked";
import { formatCitation } from "../../../src/core/knowledge/citation.ts";
import type { TranscriptTurn } from "../../../src/core/session/session.ts";
import { calmMarkdown, replayText as replay } from "../../../src/vscode/chat/replayText.ts";
import { createRandom } from "../../support/random.ts";
import { times } from "../../support/times.ts";
import { oneTurn } from "../../webview/fakeSessions.ts";

/** Joins the pieces, with citations in ‹›. */
const replayText = (replayed: Parameters<typeof replay>[0]) =>
	replay(replayed)
		.map((piece) => (typeof piece === "string" ? piece : `‹${formatCitation(piece)}›`))
		.join("");

const turn = (rest: Partial<TranscriptTurn>) => oneTurn(0, { question: "Why?", answer: "So.", ...rest });

test("a replayed session shows questions, calls and answers", () => {
	const call = { id: "1", name: "shell", input: { command: "make all" } };
	const events = [{ kind: "toolFinished", call, ok: false, text: "secret" } as const];
	const turns = [turn({ events }), turn({ question: "And then?", answer: "", outcome: "cancelled" })];
	const text = replayText({ title: "Lamps", turns, folder: "/kb" });
	assert.deepEqual(text.split(/\s*\n\n+/), [
		"This chat continues **Lamps** (2 turns). It works in ` /kb `.",
		...["---", "**You:** Why?", "- ✗ shell: ` make all `", "So."],
		...["---", "**You:** And then?", "*The turn was not finished.*"],
	]);
});

test("replayed titles, questions and errors contain no links, images, headings or HTML", () => {
	const evil = "[press](command:x)\n# Head\n<img src=x>\n    code\n\n```\n![a](http://b)";
	const turns = [turn({ question: evil, answer: "", error: evil })];
	const text = replayText({ title: `T\n${evil}`, turns });
	assert.doesNotMatch(text, /(?<!\\)[[<`]|^ {4}|^#/m);
});

test("a replayed long session shows only the last turns, and the number of omitted turns", () => {
	const turns = times(228, (at) => turn({ question: `Question ${at}`, answer: "x".repeat(9000) }));
	const text = replayText({ title: "Long", turns });
	assert.match(text, /29 earlier turns/);
	assert.deepEqual(text.match(/Question \d+/g)?.length, 199);
	assert.match(text, /Question 227/);
	const short = times(2000, (at) => turn({ question: `Question ${at}` }));
	const all = replayText({ title: "Many", turns: short });
	assert.ok(all.includes("(2,000 turns).\n\n---\n\n**You:** Question 0\n"));
});

test("a replayed answer keeps lists, code and citations; active content becomes text", () => {
	const answer = `# What is *known*
The **Gannet Rock Light** is \`41 m\` high [lights.html:76-103].

1. first_name and *last*
   - deeper **[x](command:a)**
> quoted <b>it</b>
\`\`\`sh
rm -rf \`pwd\` <img>
\`\`\`
| a | b |
![p](https://x.example/p.png) https://x.example $(zap) a*b *`;
	const text = replayText({ title: "T", turns: [turn({ answer })] });
	assert.deepEqual(text.slice(text.indexOf("**What")).split(/\s*\n+/), [
		"**What is \\*known\\***",
		"The **Gannet Rock Light** is ` 41 m ` high ‹[lights.html:76-103]›.",
		"1. first\\_name and *last*",
		"   - deeper **\\[x\\](command:a)**",
		"> quoted \\<b\\>it\\</b\\>",
		...["```sh", "rm -rf `pwd` <img>", "```"],
		"\\| a \\| b \\|",
		"!\\[p\\](https\\://x.example/p.png) https\\://x.example &#36;(zap) a\\*b \\*",
		"",
	]);
});

test("random Markdown in a replayed answer is never rendered as a link, image, heading, table, rule or HTML", () => {
	const bits = [
		"[a](command:x)·![p](https://x.example)·<img src=x>·# ·***·**·*·`·```·~~~·\n·\n\n·    ·\t·- ·1. ·> ",
		"| a |·|---|·---·===·[r]: http://x·[r]·\\·http://x.example·www.x.example·me@x.example·&lt;·<!--·-->·word",
		" ·[f.md:3]·_",
	].flatMap((line) => line.split("·"));
	const allowed = new Set(["space", "paragraph", "text", "escape", "br", "list", "list_item", "blockquote"]);
	for (const type of ["strong", "em", "codespan", "code"]) allowed.add(type);
	const { pick } = createRandom(7);
	for (let round = 0; round < 1000; round++) {
		const answer = times(12, () => pick(bits)).join("");
		const text = calmMarkdown(answer)
			.map((piece) => (typeof piece === "string" ? piece : "CITED"))
			.join("");
		const found: string[] = [];
		void marked.walkTokens(marked.lexer(text), ({ type }) => void (allowed.has(type) || found.push(type)));
		assert.deepEqual(found, [], JSON.stringify({ answer, text }));
	}
});
