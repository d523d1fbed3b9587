import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Citation } from "../../src/core/knowledge/citation.ts";
import { type CitedText, checkAnswer } from "../../src/evidence/checkAnswer.ts";
import { heldOut, inThreeLanguages, type Labelled, labelled } from "./labelled.ts";
import { LINES } from "./threeLanguages.ts";

const root = join(import.meta.dirname, "../..");
const { COPILOT_LD_DATA: data = join(root, "../../shared/data") } = process.env;
const [sample, bionova] = [join(root, "media/sample"), join(data, "pages/bionova")];

function textIn(folder: string, { path, lines }: Citation): CitedText {
	const all = (LINES[path] ?? readFileSync(join(folder, path), "utf8")).split("\n");
	const title = /<title>(.*?)<|^title: (.*)/m.exec(all.join("\n"));
	return { text: all.slice(lines.start - 1, lines.end).join("\n"), titles: [title?.[1] ?? title?.[2] ?? ""] };
}

function missingIn(sentence: string, source: string, folder: string): readonly string[] {
	const [checked] = checkAnswer(`${sentence} [${source}]`, (citation) => textIn(folder, citation));
	return checked?.verdict.kind === "missing" ? checked.verdict.missing : [];
}

for (const { source, isOfBionova, sentence, wrong } of labelled()) {
	const folder = isOfBionova ? bionova : sample;
	test(`${wrong ? "marks" : "does not mark"}: ${sentence}`, { skip: !existsSync(folder) }, () => {
		assert.deepEqual(missingIn(sentence, source, folder), wrong ? [wrong] : []);
	});
}

const WRITTEN = [
	["The tower is ٤١ metres high.", "41 metres", "standing"],
	["The tower is ４７ metres high.", "The tower is 41 metres high", "missing"],
	["It is 12–14 m high.", "between 12 and 14 metres", "standing"],
	["It is 12–15 m high.", "between 12 and 14 metres", "missing"],
	["It burned from 1902–1932.", "from 1902 until 1931", "missing"],
	["It says “he called it “the new lamp” once”.", "he called it “the old lamp” once", "missing"],
	["„Das Feuer ‚brennt‘“ steht da.", "Das Feuer ‚brennt‘", "standing"],
	["It weighs 1.500 g.", "1.5 kg", "standing"],
	["It is 5 °C.", "-15 °C", "missing"],
	["Er steht seit dem 19. Jahrhundert.", "first lit in 1861", "standing"],
	["Il date du 18e siècle.", "first lit in 1861", "missing"],
] as const;

for (const [sentence, text, verdict] of WRITTEN)
	test(`"${sentence}" is ${verdict} where the lines say "${text}"`, () => {
		const [checked] = checkAnswer(`${sentence} [a.md:1]`, () => ({ text, titles: [] }));
		assert.equal(checked?.verdict.kind, verdict);
	});

test("an answer made to take for ever is done with soon", { timeout: 60_000 }, () => {
	for (const bomb of ['"', "“", "A-1/", "January ", "12-", "1:", "am 1. "]) {
		const text = bomb.repeat(200_000 / bomb.length);
		checkAnswer(`${text} Ida [a.md:1].`, () => ({ text: "x", titles: [] }));
	}
});

for (const [name, sentences] of Object.entries({ heldOut, inThreeLanguages }))
	test(`most of what it marks is wrong, and most of what is wrong is marked, also in sentences it was not made by: ${name}`, (t) => {
		if (!existsSync(bionova)) return t.skip();
		const judged = sentences().map(judge);
		const marked = judged.filter((each) => each.marked.length > 0);
		const hits = marked.filter(({ isWrong }) => isWrong).length;
		const wrong = judged.filter(({ isWrong }) => isWrong).length;
		for (const each of judged)
			if (each.marked.length > 0 !== each.isWrong) t.diagnostic(`${each.sentence} ${each.marked}`);
		t.diagnostic(`precision ${hits}/${marked.length}, recall ${hits}/${wrong}, of ${judged.length}`);
		assert.ok(hits / marked.length >= 0.9);
		assert.ok(hits / wrong >= 0.9);
	});

function judge({ source, isOfBionova, sentence, wrong }: Labelled) {
	const marked = missingIn(sentence, source, isOfBionova ? bionova : sample);
	return { sentence, isWrong: wrong !== undefined, marked };
}
