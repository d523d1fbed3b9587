import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Citation } from "../../src/core/knowledge/citation.ts";
import { type CitedText, checkAnswer } from "../../src/evidence/checkAnswer.ts";
import { labelled } from "./labelled.ts";

const root = join(import.meta.dirname, "../..");
const { COPILOT_LD_DATA: data = join(root, "../../shared/data") } = process.env;
const [sample, bionova] = [join(root, "media/sample"), join(data, "pages/bionova")];

function textIn(folder: string, { path, lines }: Citation): CitedText {
	const all = readFileSync(join(folder, path), "utf8").split("\n");
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
