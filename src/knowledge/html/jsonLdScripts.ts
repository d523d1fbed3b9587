import type { Problem } from "../../core/knowledge/document.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { type Line, shift } from "../passages/lines.ts";
import { readJsonLd } from "../rdf/jsonLd/jsonLd.ts";
import type { Tag } from "./walkHtml.ts";

export function isJsonLd({ name, attributes }: Tag): boolean {
	const { type = "" } = attributes;
	return name === "script" && /^\s*application\/ld\+json\s*(;|$)/i.test(type);
}

export interface JsonLdContent {
	readonly quads: readonly Quad[];
	readonly problems: readonly Problem[];
}

/** The statements of all scripts; one that is broken is a problem, and no harm to the others. */
export async function readJsonLdScripts(scripts: readonly Line[], base: string): Promise<JsonLdContent> {
	// Several scripts are one array, in which a lone `@graph` names a graph: https://www.w3.org/TR/json-ld11-api/#process-html
	const texts =
		scripts.length > 1 ? scripts.map(({ text, lines }) => ({ text: `[${text}]`, lines })) : scripts;
	const contents = await Promise.all(
		texts.map((script, index) => readScript(script, base, `script${index}`)),
	);
	return {
		quads: contents.flatMap(({ quads }) => quads),
		problems: contents.flatMap(({ problems }) => problems),
	};
}

async function readScript(script: Line, base: string, scope: string): Promise<JsonLdContent> {
	const { quads, problems } = await readJsonLd(script.text, { base });
	const by = script.lines.start - 1;
	return {
		quads: quads.map((quad) => ({ ...withScope(quad, scope), lines: shift(quad.lines, by) })),
		problems: problems.map((problem) => ({ ...problem, lines: shift(problem.lines, by) })),
	};
}

/** Blank nodes of different scripts are different ones. */
function withScope(quad: Quad, scope: string): Quad {
	const rename = <T extends Term>(term: T): T =>
		term.termType === "BlankNode" ? { ...term, value: `${scope}-${term.value}` } : term;
	const { graph } = quad;
	return {
		...quad,
		subject: rename(quad.subject),
		object: rename(quad.object),
		...(graph && { graph: rename(graph) }),
	};
}
