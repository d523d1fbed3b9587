import { Failure } from "../../base/failure.ts";
import { createPacer } from "../../base/pacer.ts";
import { readRegularFile } from "../../base/regularFile.ts";
import type { Quad, Subject, Term } from "../../core/knowledge/rdf.ts";
import type { FileEdits, RenameQuery, Renaming, TextEdit } from "../../core/knowledge/things.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { parseDocument } from "../../knowledge/parseDocument.ts";
import { decodeText } from "../../knowledge/passages/decodeText.ts";
import { canonicalize } from "../../knowledge/rdf/canonicalBlankNodes.ts";
import { quadKey } from "../../knowledge/rdf/quadKey.ts";
import { namesIn } from "../../names/names.ts";
import { isIri } from "../../names/resolveIri.ts";
import { filePathOf } from "../files/fileUri.ts";
import { MAX_BYTES } from "../files/refusal.ts";

export interface RenamePorts {
	readonly graph: Graph;
	readonly pathOf: (uri: string) => string;
}

/**
 * The edits that give a thing another name in all files. Every file is read again as it would then be: it must say the
 * same but for the name, or nothing is renamed at all.
 */
export async function renameThing(
	{ iri, to, open }: RenameQuery,
	{ graph, pathOf }: RenamePorts,
	signal: AbortSignal,
): Promise<Renaming> {
	refuseBadName({ iri, to }, graph);
	const texts = new Map(open.map(({ uri, text }) => [uri, text]));
	const pacer = createPacer();
	const files: FileEdits[] = [];
	for (const uri of new Set([...documentsNaming(graph, iri), ...texts.keys()])) {
		signal.throwIfAborted();
		if (pacer.isDue) await pacer.rest();
		const text = texts.get(uri) ?? readText(uri);
		if (text === undefined) continue;
		const edits = await editsOf({ uri, text, path: pathOf(uri) }, { iri, to });
		if (edits.length > 0) files.push({ uri, edits });
	}
	return { files };
}

type Change = Pick<RenameQuery, "iri" | "to">;

function refuseBadName({ iri, to }: Change, graph: Graph): void {
	if (!isIri(to)) throw new Failure("BAD_INPUT", `"${to}" is no IRI.`);
	if (iri === to) throw new Failure("BAD_INPUT", "This is its name already.");
	// A file that is renamed takes the place of another one only if the editor allows it.
	if (to.startsWith("file:")) return;
	if (graph.numberOf({ termType: "NamedNode", value: to }) !== 0)
		throw new Failure("BAD_INPUT", `<${to}> is the name of another thing: both would be one, for good.`);
}

/** Every document that has the name in some statement. */
function documentsNaming(graph: Graph, iri: string): string[] {
	const documents = new Set<string>();
	const names = new Set(namesOfThing(graph, iri));
	for (const { subject, predicate, object, graph: group, document } of graph.walk())
		if ([subject, predicate, object, group].some((term) => names.has(term)))
			documents.add(graph.termAt(document).value);
	return [...documents].sort();
}

/** A file is also named by the places in it. */
function namesOfThing(graph: Graph, iri: string): number[] {
	const own = graph.numberOf({ termType: "NamedNode", value: iri });
	if (!iri.startsWith("file:")) return own === 0 ? [] : [own];
	const objects = new Set([...graph.walk()].map(({ object }) => object));
	return [...objects, own].filter((node) => node !== 0 && isNamed(graph.termAt(node).value, iri));
}

function isNamed(value: string, iri: string): boolean {
	return value === iri || (iri.startsWith("file:") && value.startsWith(`${iri}#`));
}

function readText(uri: string): string | undefined {
	const path = filePathOf(uri);
	return path === undefined ? undefined : decodeText(readRegularFile(path, MAX_BYTES).bytes);
}

interface NamingFile {
	readonly uri: string;
	readonly text: string;
	readonly path: string;
}

async function editsOf({ uri, text, path }: NamingFile, change: Change): Promise<TextEdit[]> {
	const edits = namesIn({ uri, text })
		.names.filter(({ iri }) => iri === change.iri)
		.map(({ start, end, spell }): TextEdit => {
			const spelled = spell(change.to);
			if (spelled !== undefined) return { start, end, text: spelled };
			const line = text.slice(0, start).split(/\r\n|\r|\n/).length;
			throw new Failure("BAD_INPUT", `<${change.to}> cannot be written in ${path}, line ${line}.`);
		});
	await requireSame({ uri, text, path }, edits, change);
	return edits;
}

/** Of some syntaxes we know only how to read them; and a name may have been made of parts. */
async function requireSame(
	{ uri, text, path }: NamingFile,
	edits: readonly TextEdit[],
	change: Change,
): Promise<void> {
	const edited = applyEdits(text, edits);
	const newUri = uri === change.iri ? change.to : uri;
	const [before, after] = await Promise.all([statementsOf(uri, text), statementsOf(newUri, edited)]);
	const wanted = keysOf(before.map((quad) => renamed(quad, change)));
	const missed = wanted.symmetricDifference(keysOf(after));
	if (missed.size === 0) return;
	const [line = 1] = [...missed.values()].map((key) => Number(key.slice(0, key.indexOf(" "))));
	throw new Failure(
		"BAD_INPUT",
		`${path}, line ${line}, would not mean the same with the new name; nothing is renamed.`,
	);
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
	return edits
		.toSorted((a, b) => b.start - a.start)
		.reduce((edited, { start, end, text: by }) => edited.slice(0, start) + by + edited.slice(end), text);
}

async function statementsOf(uri: string, text: string): Promise<readonly Quad[]> {
	const outcome = await parseDocument(uri, new TextEncoder().encode(text));
	return "document" in outcome ? outcome.document.quads : [];
}

/** The labels of nameless things follow from what is said of them. */
function keysOf(quads: readonly Quad[]): Set<string> {
	return new Set(canonicalize(quads).map((quad) => `${quad.lines.start} ${quadKey(quad)}`));
}

function renamed({ subject, predicate, object, graph, lines }: Quad, change: Change): Quad {
	const rename = <Named extends Term>(term: Named): Named =>
		term.termType === "NamedNode" && isNamed(term.value, change.iri)
			? { ...term, value: change.to + term.value.slice(change.iri.length) }
			: term;
	const group: Subject | undefined = graph && rename(graph);
	return {
		subject: rename(subject),
		predicate: rename(predicate),
		object: rename(object),
		lines,
		...(group && { graph: group }),
	};
}
