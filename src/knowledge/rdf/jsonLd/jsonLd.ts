import { messageOf } from "../../../base/failure.ts";
import { bundledContext } from "../../../base/rdf/bundledContexts.ts";
import { batchesOf, isRecord } from "../../../base/values.ts";
import type { LineRange } from "../../../core/knowledge/citation.ts";
import type { Problem } from "../../../core/knowledge/document.ts";
import type { Parse } from "../../passages/source.ts";
import { digest, type RdfContent, toRdfDocument } from "../rdfDocument.ts";
import { JsonLdStatements } from "./jsonLdStatements.ts";
import { type Place, placeOf, readLocatedJson } from "./locatedJson.ts";
import { expandTraced, type JsonLdOptions } from "./tracedExpand.ts";

export const parseJsonLd: Parse = async (source) =>
	toRdfDocument(source, await readJsonLd(source.text, { base: source.uri }));

interface Reading {
	readonly expand: (document: object) => Promise<unknown>;
	readonly lines: LineRange;
	readonly statements: JsonLdStatements;
}

/** Number of top-level nodes to expand at once. Expanding a large document at once would exceed the memory. */
const PIECE_SIZE = 500;

interface Piece {
	readonly document: object;
	/** Place of a piece that is a single node; `undefined` for several nodes. */
	readonly place: Place | undefined;
}

export function looksLikeJsonLd(text: string): boolean {
	return text.includes('"@context"') && /^\s*[{[]/.test(text);
}

/** Reads JSON-LD without network access. Never rejects. Line numbers and blank-node labels are local to `text`. */
export async function readJsonLd(text: string, options: JsonLdOptions): Promise<RdfContent> {
	const { value, lines, problems } = readLocatedJson(text);
	if (value === undefined) return { quads: [], problems };
	const refuse = (message: string): RdfContent => {
		return { quads: [], problems: [...problems, { severity: "error", message, lines }] };
	};
	if (typeof value !== "object" || value === null)
		return refuse("JSON-LD is an object or an array of objects.");
	const excess = excessOf(value);
	if (excess) return refuse(`JSON-LD with ${excess} is not read.`);
	const content = await readJsonLdDocument(value, lines, options);
	return { ...content, problems: [...problems, ...content.problems] };
}

/** Reads a document in pieces, so that an error in a top-level node does not affect other nodes. */
async function readJsonLdDocument(document: object, lines: LineRange, options: JsonLdOptions) {
	const statements = new JsonLdStatements();
	const loadContext = (url: string): unknown => {
		const known = options.contexts?.get(url) ?? bundledContext(url);
		if (known) return known;
		const message = `The context ${url} is unknown and is never fetched, so statements with its terms are left out. Define the terms in the document.`;
		statements.report({ severity: "warning", message, lines: contextLines(document, url) ?? lines });
		return { "@context": {} };
	};
	const expand = (piece: object) => expandTraced(piece, loadContext, options);
	const reading = { expand, lines, statements };
	for (const piece of piecesOf(document, PIECE_SIZE)) {
		const problem = await addPiece(reading, piece);
		if (problem && !(await addNodes(reading, piece, problem))) break;
	}
	return statements.content();
}

async function addPiece(reading: Reading, { document, place }: Piece): Promise<Problem | undefined> {
	const { lines, statements } = reading;
	try {
		statements.add(await reading.expand(document), place ?? { lines, members: new Map() });
		return undefined;
	} catch (thrown) {
		// The library throws for an invalid document.
		const where = linesIn(thrown) ?? place?.lines ?? lines;
		return { severity: "error", message: messageOf(thrown), lines: where };
	}
}

/** Adds the nodes of a broken piece one by one. False if the error is in the nodes' common context. */
async function addNodes(reading: Reading, piece: Piece, problem: Problem): Promise<boolean> {
	const { statements } = reading;
	const nodes = piecesOf(piece.document, 1);
	const isDivisible = nodes.length > 1;
	const context = { ...piece, document: contextOf(piece.document) };
	const cause = isDivisible ? await addPiece(reading, context) : problem;
	if (cause) {
		statements.report(cause);
		return !isDivisible;
	}
	for (const node of nodes) {
		const nodeProblem = await addPiece(reading, node);
		if (nodeProblem) statements.report(nodeProblem);
	}
	return true;
}

/** Lines of the first `@context` that contains `url` or a relative form of the URL. */
function contextLines(value: unknown, url: string): LineRange | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	if ("@context" in value && namesIn(value["@context"]).some((name) => url.endsWith(name)))
		return placeOf(value)?.members.get("@context");
	const parts = Object.values(value).values();
	return parts.map((part) => contextLines(part, url)).find((lines) => lines !== undefined);
}

function namesIn(context: unknown): string[] {
	const items: unknown[] = Array.isArray(context) ? context : [context];
	return items.filter((item) => typeof item === "string").map((name) => name.replace(/^[./]+/, ""));
}

/** Lines of the broken part, which most errors of the library include. */
function linesIn(thrown: unknown): LineRange | undefined {
	if (!(thrown instanceof Error) || !("details" in thrown)) return undefined;
	return Object.values(thrown.details ?? {})
		.map(placeOf)
		.find((place) => place !== undefined)?.lines;
}

function piecesOf(document: object, size: number): Piece[] {
	if (Array.isArray(document)) return slicesOf(document, size);
	const { "@context": _, "@graph": graph, ...others } = document as Record<string, unknown>;
	// Beside other keys, `@graph` is a named graph.
	const isDivisible = Array.isArray(graph) && Object.keys(others).length === 0;
	if (!isDivisible) return [{ document, place: placeOf(document) }];
	return slicesOf(graph, size).map(({ document: slice, place }) => {
		return { document: { ...contextOf(document), "@graph": slice }, place };
	});
}

function contextOf(document: object): object {
	return "@context" in document ? { "@context": document["@context"] } : {};
}

function slicesOf(items: readonly unknown[], size: number): Piece[] {
	const slices = batchesOf(items, size);
	return Array.from(slices, (document) => ({
		document,
		place: document.length === 1 ? placeOf(document[0]) : undefined,
	}));
}

/** Maximum number of copied definitions. Every context copies the terms of the previous contexts. */
const MAX_COPIES = 5_000_000;
/** Maximum number of copied definitions of scoped contexts, which apply repeatedly. */
const MAX_USES = 50_000_000;
/** Maximum depth of nested contexts. The library serializes each context with all contexts inside. */
const MAX_CONTEXT_DEPTH = 8;
/** Maximum number of arrays in an array. The library copies the result for each of these arrays. */
const MAX_NESTED_ARRAYS = 50_000;
/** Maximum number of slashes in an IRI. The library removes path segments one by one. */
const MAX_SLASHES = 50_000;

/** Describes content that would cost the library minutes or all memory; `undefined` if there is no such content. */
function excessOf(document: object): string | undefined {
	const { contexts, terms, uses, contextDepth, nestedArrays, slashes } = measureDocument(document);
	const applied = contextDepth > 1 ? uses : contexts.size;
	if (contextDepth > MAX_CONTEXT_DEPTH) return `contexts inside contexts on ${contextDepth} levels`;
	if (contexts.size * terms > MAX_COPIES) return `${contexts.size} contexts with ${terms} terms`;
	if (applied * terms > MAX_USES) return `contexts with ${terms} terms that apply to ${uses} objects`;
	if (nestedArrays > MAX_NESTED_ARRAYS) return `an array of ${nestedArrays} arrays`;
	if (slashes > MAX_SLASHES) return `a text with ${slashes} slashes`;
	return undefined;
}

function measureDocument(document: object) {
	const measure = {
		/** Digests of distinct inline contexts. */
		contexts: new Set<string>(),
		terms: 0,
		/** Number of objects and of their classes, each of which may apply its own context. */
		uses: 0,
		contextDepth: 0,
		/** Maximum number of arrays directly within an array. */
		nestedArrays: 0,
		slashes: 0,
	};
	visit(document, measure, 0);
	return measure;
}

type Measure = ReturnType<typeof measureDocument>;

/** `depth` is the number of enclosing contexts. */
function visit(value: unknown, measure: Measure, depth: number): void {
	if (typeof value === "string") measure.slashes = Math.max(measure.slashes, slashesIn(value));
	else if (Array.isArray(value)) {
		measure.nestedArrays = Math.max(measure.nestedArrays, value.filter(Array.isArray).length);
		for (const item of value) visit(item, measure, depth);
	} else if (isRecord(value)) visitObject(value, measure, depth);
}

/** Number of slashes in a long text that may be a relative IRI; 0 for any other text. */
function slashesIn(text: string): number {
	return text.length < MAX_SLASHES || /^[a-z][a-z0-9+.-]*:/i.test(text) ? 0 : text.split("/").length - 1;
}

function visitObject(object: object, measure: Measure, depth: number): void {
	measure.uses++;
	for (const [key, value] of Object.entries(object)) {
		const isContext = key === "@context";
		if (isContext) countContexts(value, measure, depth + 1);
		else if (Array.isArray(value) && /type$/.test(key)) measure.uses += value.length;
		visit(value, measure, isContext ? depth + 1 : depth);
	}
}

function countContexts(value: unknown, measure: Measure, depth: number): void {
	measure.contextDepth = Math.max(measure.contextDepth, depth);
	for (const context of Array.isArray(value) ? value : [value]) {
		const identity = isRecord(context) ? digest(JSON.stringify(context)) : "";
		if (identity === "" || measure.contexts.has(identity)) continue;
		measure.contexts.add(identity);
		measure.terms += Object.keys(context).length;
	}
}
