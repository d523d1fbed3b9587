import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { sourceTexts } from "../scripts/l10n/sources.ts";
import { textsOf } from "../scripts/l10n/texts.ts";

const { keys, bare } = sourceTexts();
const asked = new Set(keys);

/** What looks like words for people and is not, by file. `{}` stands for an expression. */
const FOR_OTHERS: Readonly<Record<string, readonly string[]>> = JSON.parse(
	readFileSync("test/support/textsForOthers.json", "utf8"),
);

test("every text that a person meets in VS Code is asked for with l10n.t; texts for others are listed", () => {
	const unasked = bare.filter(({ file, text }) => !FOR_OTHERS[file]?.includes(text));
	assert.deepEqual(
		unasked.map(({ file, line, text }) => `${file}:${line} ${text}`),
		[],
	);
});

test("every text that is listed as one for others is there", () => {
	const there = new Set(bare.map(({ file, text }) => `${file} ${text}`));
	const listed = Object.entries(FOR_OTHERS).flatMap(([file, texts]) =>
		texts.map((text) => `${file} ${text}`),
	);
	assert.deepEqual(
		listed.filter((each) => !there.has(each)),
		[],
	);
});

for (const file of globSync("l10n/bundle.l10n.*.json"))
	test(`${file} translates what is asked for, with the same placeholders (npm run l10n says what it lacks)`, () => {
		const texts: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));
		assert.deepEqual(
			Object.keys(texts).filter((key) => !asked.has(key)),
			[],
		);
		assert.deepEqual(
			keys.filter((key) => texts[key] === undefined),
			[],
		);
		for (const [key, text] of Object.entries(texts)) assert.deepEqual(keptIn(text), keptIn(key), key);
	});

/** What no translation may change. */
function keptIn(text: string): string[] {
	const kept =
		text.match(/\{\d+\}|\$\([\w~-]+\)|`[^`]*`|copilot-ld(?:\.\w+)+|@copilot-ld|(?<=\s)\/[a-z]+\b/g) ?? [];
	return kept.filter((each) => !/[ ]/.test(each)).sort();
}

/** Ways in which a text could come past. */
const SLIPS: Readonly<Record<string, string>> = JSON.parse(
	readFileSync("test/support/textSlips.json", "utf8"),
);

for (const [slip, source] of Object.entries(SLIPS))
	test(`${slip} does not come past`, () => {
		assert.equal(textsOf("slip.ts", source).bare.length > 0, true);
	});

test("what only programs read is no text: names, addresses, comparisons, types, the log, marks of a page", () => {
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
