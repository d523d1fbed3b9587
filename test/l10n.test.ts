import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { textsForOthers } from "../scripts/l10n/reported.ts";
import { sourceTexts } from "../scripts/l10n/sources.ts";
import { textsOf } from "../scripts/l10n/texts.ts";
import { assertNone } from "./support/assertNone.ts";

const { keys, bare } = sourceTexts();
const asked = new Set(keys);

/** Texts by file that look like text for users but are not. `{}` replaces an expression. */
const FOR_OTHERS: Readonly<Record<string, readonly string[]>> = JSON.parse(
	readFileSync("test/support/textsForOthers.json", "utf8"),
);

test("every text for users in VS Code uses l10n.t, or is listed as an exception", () => {
	const unasked = bare.filter(({ file, text }) => !FOR_OTHERS[file]?.includes(text));
	assertNone(unasked.map(({ file, line, text }) => `${file}:${line} ${text}`));
});

test("every listed exception from l10n.t exists in the code", () => {
	const isThere = (file: string, text: string) => bare.some((one) => one.file === file && one.text === text);
	for (const [file, texts] of Object.entries(FOR_OTHERS))
		assertNone(texts.filter((text) => !isThere(file, text)).map((text) => `${file}: ${text}`));
});

test("every listed exception outside of the user interface exists in the code", () => {
	const listed = [...textsForOthers()].flatMap(([file, texts]) => {
		const there = new Set(textsOf(file, readFileSync(file, "utf8")).bare.map(({ text }) => text));
		return [...texts].filter((text) => text !== "*" && !there.has(text)).map((text) => `${file}: ${text}`);
	});
	assert.deepEqual(listed, []);
});

const NOT_OUR_WORDS: readonly (readonly [RegExp, string])[] = [
	[/\bchunks?\b/i, "passage"],
	[/\btriples?\b(?! terms)/i, "statement"],
	[/\bdoors?\b(?! is (still read|the old name)|s is the old name)/i, "channel"],
	[/\bconversations?\b/i, "session"],
	[/\bLLMs?\b/, "language model"],
	[/\b1 (passages|files|problems|statements|sessions|things|rows|lines|tests|turns)\b/, "the singular"],
	[/\b[Cc]ancelled\b/, "canceled"],
	[/\bplease\b|\bsorry\b|\boops\b/i, "nothing"],
	[/(?<!\b[Tt]here )\bis no (?!longer\b)[a-z]/, "is not a"],
	[/\bcannot be had\b|\bis at work\b|\b[Ll]ook(ed)? at\b|\b[Ll]ook into\b/, "plain English"],
	[/ (?:…|\.\.\.)$|\.\.\./, "…, without a space"],
];

const nls: Record<string, string> = JSON.parse(readFileSync("package.nls.json", "utf8"));
const all = [...Object.entries(nls), ...keys.map((text) => ["l10n", text] as const)];

for (const [words, instead] of NOT_OUR_WORDS)
	test(`no text for users contains ${words}, but ${instead}`, () => {
		const wrong = all.filter(([key, text]) => !isExcepted(key) && words.test(text));
		assert.deepEqual(wrong, []);
	});

/** The description of this key mentions the old name. */
function isExcepted(key: string): boolean {
	return key.startsWith("config.permissions.rules.door");
}

/** Words in lower case within a title. */
const SMALL = /^(a|an|and|as|at|but|by|for|from|in|into|of|on|or|the|to|with)$/;

test("names of commands and tools are in title case, without a period", () => {
	const titles = Object.entries(nls).filter(([key]) => /^command\.|^tool\.\w+\.displayName$/.test(key));
	const wrong = titles.filter(([, title]) =>
		title.split(" ").some((word, at) => (at === 0 || !SMALL.test(word)) && !/^[\p{Lu}(]/u.test(word)),
	);
	assert.deepEqual([...wrong, ...titles.filter(([, title]) => title.endsWith("."))], []);
});

test("descriptions are sentences; steps of the walkthrough are in sentence case", () => {
	const described = Object.entries(nls).filter(([key]) =>
		/^config\.(?!section)(?!.*\.(label|snippet\.\w+)$)|userDescription$|^description$/.test(key),
	);
	assertNone(described.filter(([, text]) => !/^[\p{Lu}*].*[.)]$/su.test(text)));
	const steps = Object.entries(nls).filter(([key]) => /^walkthrough\.start\.\w+\.title$/.test(key));
	assertNone(steps.filter(([, title]) => !/^\p{Lu}[^\p{Lu}]*$/u.test(title)));
});

for (const file of globSync("l10n/bundle.l10n.*.json"))
	test(`${file} translates all texts with the same placeholders (npm run l10n lists missing ones)`, () => {
		const texts: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));
		assertNone(Object.keys(texts).filter((key) => !asked.has(key)));
		assertNone(keys.filter((key) => texts[key] === undefined));
		for (const [key, text] of Object.entries(texts)) assert.deepEqual(keptIn(text), keptIn(key), key);
	});

function keptIn(text: string): string[] {
	const kept =
		text.match(/\{\d+\}|\$\([\w~-]+\)|`[^`]*`|copilot-(?:ld|LD)(?:\.\w+)+|@copilot-ld|(?<=\s)\/[a-z]+\b/g) ??
		[];
	return kept.filter((each) => !/[ ]/.test(each)).sort();
}

/** Code that could hide a text from the check. */
const SLIPS = JSON.parse(readFileSync("test/support/textSlips.json", "utf8"));

for (const [slip, source] of Object.entries<string>(SLIPS))
	test(`untranslated text is found in ${slip}`, () => {
		assert.notDeepEqual(textsOf("slip.ts", source).bare, []);
	});

test("names, addresses, comparisons, types, logs and markup need no translation", () => {
	const source = `
		import { a } from "./A file.ts";
		type Choice = "Not this" | "Nor this";
		const ids = ["copilot-ld.search", "view/title", "codicon-add", "NOT_FOUND"];
		if (key === "Escape" || code === "Not found") log.info("It was stopped here");
		switch (key) { case "Enter": break; }
		const { "Some key": value } = object;
		html\`<p class="quiet small" id=\${"row"}>\${value}</p>\`;
		show(l10n.t("Nothing was found in {0}", value));
	`;
	assert.deepEqual(textsOf("quiet.ts", source), { keys: ["Nothing was found in {0}"], bare: [] });
});
