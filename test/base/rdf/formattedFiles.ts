import assert from "node:assert/strict";
import { formatTurtle } from "../../../src/base/rdf/formatTurtle.ts";
import { tokensOf } from "../../../src/base/rdf/sparqlTokens.ts";
import { canonicalize } from "../../../src/knowledge/rdf/canonicalBlankNodes.ts";
import { quadKey } from "../../../src/knowledge/rdf/rdfDocument.ts";
import { documentOf } from "../../support/documents.ts";
import { writeNamedFile } from "../../support/namedFile.ts";
import { createRandom, type Random } from "../../support/random.ts";

const SPACES = ["", "", " ", "\n", "\r\n\t", "  \n\n\n ", " # a: <b> . \n", "\n#;\n"];

/** Formats generated files with any white space and comments between their words. */
export async function checkFormat(count: number, seed: number): Promise<void> {
	const random = createRandom(seed);
	for (let at = 0; at < count; at++) {
		const format = random.pick(["ttl", "trig", "nt", "nq"] as const);
		const text = spread(writeNamedFile(format, 1 + random.below(3), random).text, random);
		const formatted = formatTurtle(text, "turtle");
		const where = `seed ${seed}, file ${at}:\n${text}`;
		assert.equal(formatTurtle(formatted, "turtle"), formatted, where);
		assert.deepEqual(await meaningOf(format, formatted), await meaningOf(format, text), where);
	}
}

/** Lines of N-Triples end at a line break, which stay. */
function spread(text: string, random: Random): string {
	const tokens = tokensOf(text);
	return tokens
		.map(({ text: word, end }, at) => {
			const gap = text.slice(end, tokens[at + 1]?.start);
			const isFree = gap !== "" && !gap.includes("#");
			return word + (isFree ? gap + random.pick(SPACES) : gap);
		})
		.join("");
}

async function meaningOf(format: string, text: string): Promise<string[]> {
	const { quads, problems } = await documentOf(`file:///w/a.${format}`, text);
	assert.deepEqual(problems, []);
	return canonicalize(quads).map(quadKey).sort();
}
