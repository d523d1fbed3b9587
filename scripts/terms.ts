import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Parser, type Quad } from "n3";
import type { TermRow } from "../src/vscode/language/completion.ts";
import { root } from "./paths.ts";

const VOCABULARIES = ["schema", "foaf", "dcterms", "skos", "prov", "owl", "sh"];

/** Maximum number of characters of a comment. */
const LONGEST = 300;

/** Writes the classes and properties of common vocabularies for completion, read from N-Quads in packages. */
export async function writeTerms(path: string): Promise<void> {
	const rows = await Promise.all(
		VOCABULARIES.map(async (name) => {
			const file = join(root, "node_modules", "@vocabulary", name, `${name}.nq`);
			return termsIn(new Parser({ format: "N-Quads" }).parse(await readFile(file, "utf8")));
		}),
	);
	await writeFile(path, JSON.stringify(rows.flat()));
}

function termsIn(quads: readonly Quad[]): TermRow[] {
	const bySubject = Map.groupBy(quads, ({ subject }) => subject.value);
	return [...bySubject].flatMap(([iri, own]): TermRow[] => {
		const types = own
			.filter(({ predicate }) => /#type$/.test(predicate.value))
			.map(({ object }) => object.value);
		const isClass = types.some((type) => /#Class$/.test(type));
		// Omit terms of other vocabularies that are only mentioned.
		if (!iri.startsWith(own[0]?.graph.value ?? "")) return [];
		if (!isClass && !types.some((type) => /Property$/.test(type))) return [];
		const comment = textIn(own, /#comment$|#definition$|\/description$/);
		return [[iri, isClass ? "class" : "property", textIn(own, /#label$/), shortened(comment)]];
	});
}

function textIn(quads: readonly Quad[], name: RegExp): string {
	const texts = quads.filter(
		({ predicate, object }) => name.test(predicate.value) && object.termType === "Literal",
	);
	const english = texts.find(({ object }) =>
		/^(?:en.*)?$/.test((object as { language?: string }).language ?? ""),
	);
	return english?.object.value ?? "";
}

function shortened(comment: string): string {
	const text = comment
		.replace(/<[^>]*>|\\n/g, " ")
		.replace(/\[\[?([^\]]*)\]\]?(?:\([^)]*\))?/g, "$1")
		.replace(/\s+/g, " ")
		.trim();
	return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).replace(/\s+\S*$/, "")} …` : text;
}
