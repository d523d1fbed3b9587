import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { idOf, type Quad } from "../../core/knowledge/rdf.ts";
import { fileName, type Source } from "../passages/format.ts";
import { shorten } from "../passages/lines.ts";
import { cutSections, MAX_TITLE } from "../passages/sections.ts";
import { canonicalize } from "../rdf/canonicalBlankNodes.ts";
import { withTextRecords } from "../records/textRecords.ts";
import { resourcesOf } from "../resources/resources.ts";
import { verbalize } from "../resources/verbalize.ts";
import { readHtml } from "./readHtml.ts";

/** Statements about controls and prefixes, not about the topic of the page. */
const ABOUT_MARKUP = new Set([
	"http://www.w3.org/1999/xhtml/vocab#role",
	"http://www.w3.org/ns/rdfa#usesVocabulary",
]);

export async function parseHtml(source: Source): Promise<ParsedDocument> {
	const content = await readHtml(source);
	const stated = content.quads
		.filter(({ predicate }) => !ABOUT_MARKUP.has(predicate.value))
		.map(withoutNamelessGraph);
	// Linked data takes precedence over `<title>` and `<meta>`.
	const labelled = stated.length > 0 ? stated : content.pageFacts;
	const quads = canonicalize(labelled);
	const resources = resourcesOf(quads, renameRanges(content.ranges, labelled, quads));
	const title =
		shorten(content.title, MAX_TITLE) ||
		content.sections.flatMap(({ path }) => path)[0] ||
		fileName(source.uri);
	const document = {
		title,
		resources,
		quads,
		passages: [
			...verbalize(resources, quads, { names: content.names, source: source.text }),
			...cutSections(title, content.sections),
		],
		problems: content.problems,
	};
	return withTextRecords(document, { uri: source.uri, sections: content.sections });
}

/** Nothing can refer to a nameless graph, and it would hide its statements. */
function withoutNamelessGraph({ graph, ...quad }: Quad): Quad {
	return graph?.termType === "NamedNode" ? { ...quad, graph } : quad;
}

/** Canonical labels keep the order of the quads. */
function renameRanges(
	ranges: ReadonlyMap<string, LineRange>,
	before: readonly Quad[],
	after: readonly Quad[],
): Map<string, LineRange> {
	const renamed = before.flatMap(({ subject }, index) => {
		const [range, now] = [ranges.get(idOf(subject)), after[index]];
		return range && now ? [[idOf(now.subject), range] as const] : [];
	});
	return new Map(renamed);
}
