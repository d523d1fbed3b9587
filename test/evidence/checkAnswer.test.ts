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
