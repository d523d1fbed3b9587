import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { footnoted } from "../../../src/vscode/chat/footnotes.ts";
import { quotedSources } from "../../../src/vscode/chat/quotedSources.ts";
import { workspace } from "../../support/fakeVscode.ts";

afterEach(() => {
	workspace.workspaceFolders = undefined;
});

function shown(path: string, text: string, lines = { start: 1, end: 1 }): string {
	workspace.workspaceFolders = [{ uri: { scheme: "file", fsPath: "/kb" }, name: "kb" }];
	return quotedSources([{ citation: { path, lines }, text }])?.value.trim() ?? "";
}

/** As Markdown reads character references. */
function read(markdown: string): string {
	return markdown.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

test("each place that an answer cites is a link to its lines, titled with them", () => {
	const line = shown("docs/lamp.md", "Lit in 1851.\nBy Inge Dahl.", { start: 3, end: 4 });
	const title = '"Lit in 1851.\nBy Inge Dahl."';
	assert.equal(read(line), `Cited lines: [lamp.md:3-4](<file:///kb/docs/lamp.md#L3,1-L5,1> ${title})`);
});

test("what stands in cited lines is no Markdown, no HTML and no end of its title", () => {
	for (const text of ['" x="1', '")[a](command:b "', "<img src=x>", "$(alert)", "a\n\n# b", "\\", "&quot;"]) {
		const line = shown("a.md", text);
		assert.match(
			line,
			/^Cited lines: \[a\.md:1\]\(<file:\/\/\/kb\/a\.md#L1,1-L2,1> "(?:[\p{L}\p{N} ,.:;'+%?/…-]|&#\d+;)*"\)$/u,
		);
		assert.ok(read(line).includes(text));
	}
});

test("an answer is copied with its sources as footnotes and without escapes", () => {
	for (const [answer, copied] of [
		[
			"In 1851 [a/lamp.md:3] and later [b.pdf:p1:2-4][a/lamp.md:3].",
			"In 1851 [^1] and later [^2][^1].\n\n[^1]: a/lamp.md:3\n[^2]: b.pdf:p1:2-4",
		],
		["See http\\://x.example &amp; a&#45;b, \\*not\\* bold.", "See http://x.example & a-b, *not* bold."],
		['```sparql\nSELECT "\\*"\n```\n`\\_`', '```sparql\nSELECT "\\*"\n```\n`\\_`'],
	] as const)
		assert.equal(footnoted(answer), copied);
});

test("of many lines the first are shown, and nothing where nothing is cited", () => {
	const line = read(shown("a.md", Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n")));
	assert.match(line, /line 7…"\)$/);
	assert.equal(quotedSources([]), undefined);
});
