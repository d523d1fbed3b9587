import { isRecord } from "../../../base/values.ts";
import { digest } from "../rdfDocument.ts";

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
export function excessOf(document: object): string | undefined {
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
