import { statSync } from "node:fs";
import { Failure } from "../../base/failure.ts";
import type { FileEdits, RenameQuery, Renaming, TextEdit } from "../../core/knowledge/things.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { isIri } from "../../names/resolveIri.ts";
import { filePathOf } from "../files/fileUri.ts";
import type { ParserPool } from "../parsing/parserPool.ts";
import { type FileRenaming, isNamed } from "../parsing/renameInFile.ts";

export interface RenamePorts {
	readonly graph: Graph;
	readonly pathOf: (uri: string) => string;
	readonly parsers: Pick<ParserPool, "work" | "size">;
}

/**
 * The edits that give a thing another name in all files. Every file is read again as it would then be, by the parsers: it
 * must say the same but for the name, or nothing is renamed at all.
 */
export async function renameThing(
	{ iri, to, open }: RenameQuery,
	{ graph, pathOf, parsers }: RenamePorts,
	signal: AbortSignal,
): Promise<Renaming> {
	refuseBadName({ iri, to }, graph);
	const texts = new Map(open.map(({ uri, text }) => [uri, text]));
	const left = [...new Set([...documentsNaming(graph, iri), ...texts.keys()])];
	const files: FileEdits[] = [];
	const stop = new AbortController();
	const renameNext = async (): Promise<void> => {
		const uri = left.shift();
		if (uri === undefined) return;
		const text = texts.get(uri);
		const file = { uri, path: pathOf(uri), iri, to, ...(text !== undefined && { text }) };
		const edits = await editsOf(file, parsers, AbortSignal.any([signal, stop.signal]));
		if (edits.length > 0) files.push({ uri, edits });
		return renameNext();
	};
	try {
		await Promise.all(Array.from({ length: parsers.size }, renameNext));
	} finally {
		stop.abort();
	}
	return { files: files.sort((a, b) => (a.uri < b.uri ? -1 : 1)) };
}

async function editsOf(
	file: FileRenaming,
	parsers: RenamePorts["parsers"],
	signal: AbortSignal,
): Promise<readonly TextEdit[]> {
	const outcome = await parsers.work({ task: "rename", input: file }, signal);
	if (outcome.kind === "done") return outcome.output;
	if (outcome.kind === "refused") throw new Failure("BAD_INPUT", outcome.reason);
	throw new Failure(
		"BAD_INPUT",
		`${file.path} could not be read again: ${outcome.reason}; nothing was renamed.`,
	);
}

type Change = Pick<RenameQuery, "iri" | "to">;

function refuseBadName({ iri, to }: Change, graph: Graph): void {
	if (!isIri(to)) throw new Failure("BAD_INPUT", `"${to}" is not an IRI.`);
	if (iri === to) throw new Failure("BAD_INPUT", "It already has this name.");
	if (to.startsWith("file:")) refuseTakenPlace({ iri, to });
	else if (graph.numberOf({ termType: "NamedNode", value: to }) !== 0)
		throw new Failure(
			"BAD_INPUT",
			`<${to}> is the name of another thing: the two would be merged permanently.`,
		);
}

/** The editor would change the links first, and then not rename the file. Another case of its own name is no other file. */
function refuseTakenPlace({ iri, to }: Change): void {
	const [old, taken] = [iri, to].map((uri) => statSync(filePathOf(uri) ?? "", { throwIfNoEntry: false }));
	if (taken && (taken.ino !== old?.ino || taken.dev !== old.dev))
		throw new Failure(
			"BAD_INPUT",
			`There is already another file ${decodeURIComponent(to.replace(/^.*\//, ""))} there.`,
		);
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
