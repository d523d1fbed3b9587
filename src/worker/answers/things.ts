import { statSync } from "node:fs";
import { Failure } from "../../base/failure.ts";
import { referenceOf } from "../../base/files/paths.ts";
import { inParallel } from "../../base/jobs/inParallel.ts";
import { createPrefixes, WELL_KNOWN_NAMESPACES } from "../../base/rdf/prefixes.ts";
import { linkName, placeInNote } from "../../base/text/noteSyntax.ts";
import type { Embedder, WordModel } from "../../core/knowledge/embedder.ts";
import type { DocumentQuery, RenameQuery, TextEdit, Things } from "../../core/knowledge/graph.ts";
import { namedNode, subjectOf } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { findShapes, pathsOf } from "../../graph/ontology/ontologySummary.ts";
import { neighboursOf, overviewOf, pathBetween, thingsAt } from "../../graph/things/neighbourhood.ts";
import { createThingList, type ThingList } from "../../graph/things/thingList.ts";
import { countPointers, foundThing, membersOf, pointersTo, viewThing } from "../../graph/things/thingView.ts";
import { isIri } from "../../names/iris.ts";
import type { DescriptorPorts, Sight } from "../../retrieve/descriptorLeg.ts";
import { type DocumentReads, type Reads, recordOf } from "../../store/port/store.ts";
import { filePathOf } from "../files/sources.ts";
import { type FileRenaming, type Renamed, renamedIri } from "../parsing/parserMessage.ts";
import type { Parser, ParserPool } from "../parsing/parserProcess.ts";
import { resourcesOf } from "./catalog.ts";
import { mentionsOf } from "./links.ts";
import type { ReaderPorts } from "./read.ts";
import { createShapeChecks } from "./shapes.ts";
import type { StoreGraph } from "./storeGraph.ts";

export interface CommonPorts {
	readonly store: Reads;
	readonly storeGraph: StoreGraph;
	readonly descriptors: DescriptorPorts["index"];
	readonly embedder: Embedder | undefined;
	readonly pathOf: (uri: string) => string;
	readonly sparqlProgram: string;
	readonly parsers: ParserPool;
	readonly validator: Parser;
	readonly words?: WordModel;
}

export interface AnswerPorts extends CommonPorts {
	readonly sight: Sight;
	readonly hiddenLines: ReaderPorts["hiddenLines"];
}

const KINDS = ["class", "property", "thing"] as const;

const MOST_IN_OVERVIEW = 10_000;

/** Each channel needs its own port, because each channel has its own graph. */
export function createThings(ports: AnswerPorts, declared: () => ReadonlyMap<string, string>): Things {
	const { store, storeGraph } = ports;
	const { meant, meanings } = storeGraph.notes;
	const checkShapes = createShapeChecks(ports.validator);
	const list = createThingList(storeGraph.graph);
	/** Uses the graph of the last refresh if possible, rather than wait for the disk while the user types. */
	const look = async <Result>(signal: AbortSignal, at: (graph: Graph) => Result) => {
		const graph = (await storeGraph.soon(signal)) ?? (await storeGraph.current(signal));
		// Start preparing the list of names, which the user will probably search next.
		list.refresh().catch(() => undefined);
		return at(graph);
	};
	const lookInList = async <Result>(signal: AbortSignal, at: (graph: Graph) => Result) => {
		await look(signal, list.refresh);
		return at(storeGraph.graph);
	};
	return {
		describe: ({ iri }, signal) => look(signal, (graph) => viewThing(graph, meant(iri))),
		named: ({ iris }, signal) => look(signal, (graph) => namedIn(graph, iris, meant)),
		pointers: ({ iri }, signal) => look(signal, (graph) => pointersTo(graph, meant(iri))),
		notes: ({ iris }, signal) =>
			look(signal, () => Object.fromEntries(iris.map((iri) => [iri, meanings(iri)]))),
		mentions: async ({ iri }, signal) => mentionsOf(meant(iri), await look(signal, (graph) => graph), store),
		described: async ({ uri }, signal) => {
			// Other documents cannot point at blank nodes.
			const resources = (await resourcesOf(uri, store)).filter(({ id }) => !id.startsWith("_:"));
			return look(signal, (graph) =>
				resources.map((each) => ({ ...each, pointers: countPointers(graph, each.id) })),
			);
		},
		find: ({ kinds = KINDS, within = "", type, ...query }, signal) =>
			type === undefined
				? lookInList(signal, () => list.find({ ...query, kinds, within }))
				: look(signal, (graph) => membersOf(graph, type, query.limit)),
		documents: (query) => listDocuments(query, ports),
		neighbours: (query, signal) => look(signal, (graph) => neighboursOf(graph, query)),
		overview: ({ limit }, signal) =>
			look(signal, (graph) => overviewOf(graph, Math.min(limit, MOST_IN_OVERVIEW))),
		path: (query, signal) => look(signal, (graph) => pathBetween(graph, query)),
		at: ({ places }, signal) => look(signal, (graph) => thingsAt(graph, places)),
		rename: async (query, signal) => renameThing(query, await storeGraph.current(signal), ports, signal),
		checkShapes: async (_, signal) => checkShapes(await storeGraph.current(signal), signal),
		prefixes: (_, signal) => lookInList(signal, (graph) => prefixesOf(graph, list, declared())),
	};
}

function prefixesOf(graph: Graph, list: ThingList, declared: ReadonlyMap<string, string>) {
	const namespaces = [...list.namespaces(), ...pathsOf(findShapes(graph))];
	const { namespaces: used } = createPrefixes(namespaces);
	return { ...WELL_KNOWN_NAMESPACES, ...Object.fromEntries(used), ...Object.fromEntries(declared) };
}

export function indexedPaths(store: DocumentReads, pathOf: (uri: string) => string): string[] {
	return [...store.documents().entries()]
		.filter((entry) => entry.isSound || recordOf(entry).state.kind === "indexed")
		.map(({ uri }) => pathOf(uri));
}

async function listDocuments({ words, after = "", limit }: DocumentQuery, { store, pathOf }: AnswerPorts) {
	await store.refresh();
	const all = indexedPaths(store, pathOf);
	const wanted = words.toLowerCase();
	const found = all.filter((path) => path > after && path.toLowerCase().includes(wanted)).sort();
	return {
		paths: found.slice(0, limit),
		isCut: found.length > limit,
		indexed: all.length,
		unindexed: store.documents().size - all.length,
	};
}

function namedIn(graph: Graph, iris: readonly string[], meant: (iri: string) => string) {
	const found = iris.map((iri) => [iri, subjectOf(meant(iri))] as const);
	const known = found.filter(([, subject]) => graph.numberOf(subject) !== 0);
	return Object.fromEntries(known.map(([iri, subject]) => [iri, foundThing(graph, subject)]));
}

/** Returns the edits that rename a thing in all files. Throws if the edits would change any other statement. */
async function renameThing(query: RenameQuery, graph: Graph, ports: AnswerPorts, signal: AbortSignal) {
	const { iri, to, open } = query;
	const { pathOf, parsers } = ports;
	refuseBadName({ iri, to }, graph);
	const texts = new Map(open.map(({ uri, text }) => [uri, text]));
	const [thing, place] = placeInNote(iri);
	const uris = new Set([...documentsNaming(graph, thing), ...texts.keys(), ...(place ? [thing] : [])]);
	const kept: string[] = [];
	const editsIn = async (uri: string, either: AbortSignal) => {
		const text = texts.get(uri);
		const file = { uri, path: pathOf(uri), ...(text !== undefined && { text }) };
		const edits: TextEdit[] = [];
		try {
			for (const names of namesIn(uri, query, ports))
				edits.push(...(await editsOf({ ...file, ...names }, parsers, either)));
			return { uri, edits };
		} catch (thrown) {
			if (!place || uri === thing || !(thrown instanceof Failure)) throw thrown;
			kept.push(file.path);
			return { uri, edits: [] };
		}
	};
	const all = await inParallel([...uris].sort(), parsers.size, editsIn, signal);
	const notice = `These files cannot be changed and keep the old name: ${kept.join(", ")}.`;
	return { files: all.filter(({ edits }) => edits.length > 0), ...(kept.length > 0 && { notice }) };
}

function namesIn(uri: string, { iri, to }: RenameQuery, { pathOf, storeGraph: { notes } }: AnswerPorts) {
	const [thing, place] = placeInNote(iri);
	const besideOf = (link: string) => {
		if (place) return { iri: link + place, to: link + placeInNote(to)[1] };
		// A link without a folder gets the new name without a folder, unless another note has that name.
		const folder = link.slice(0, link.lastIndexOf("/") + 1);
		const beside = folder + to.slice(to.lastIndexOf("/") + 1);
		const isTaken = notes.meanings(beside).length > 0;
		return { iri: link, to: isTaken ? new URL(referenceOf(pathOf(to)), folder).href : beside };
	};
	// Links by an alias remain as they are, because the note keeps its alias.
	const isToChange = (link: string) => place !== "" || linkName(link) === linkName(thing);
	return [{ iri, to }, ...notes.spellings(uri, thing).filter(isToChange).map(besideOf)];
}

async function editsOf(file: FileRenaming, parsers: ParserPool, signal: AbortSignal) {
	const outcome = await parsers.work({ task: "rename", input: file }, signal);
	if (outcome.kind === "done") return outcome.output;
	if (outcome.kind === "refused") throw refused(outcome.reason);
	throw refused(`${file.path} could not be read again: ${outcome.reason}; nothing was renamed.`);
}

function refuseBadName({ iri, to }: Renamed, graph: Graph): void {
	if (!isIri(to)) throw refused(`"${to}" is not an IRI.`);
	if (iri === to) throw refused("It already has this name.");
	if (to.startsWith("file:")) refuseTakenPlace({ iri, to });
	else if (graph.numberOf(namedNode(to)) !== 0)
		throw refused(`<${to}> is the name of another thing: the two would be merged permanently.`);
}

function refused(why: string): Failure {
	return new Failure("BAD_INPUT", why);
}

/**
 * Throws if another file has the new name, because the editor would change all links before it fails to rename the
 * file. A change of letter case is allowed.
 */
function refuseTakenPlace({ iri, to }: Renamed): void {
	const [old, taken] = [iri, to].map((uri) => statSync(filePathOf(uri) ?? "", { throwIfNoEntry: false }));
	if (taken && (taken.ino !== old?.ino || taken.dev !== old.dev))
		throw refused(`There is already another file ${decodeURIComponent(to.replace(/^.*\//, ""))} there.`);
}

function documentsNaming(graph: Graph, iri: string): string[] {
	const documents = new Set<string>();
	const names = new Set(namesOfThing(graph, iri));
	for (const { subject, predicate, object, graph: group, document } of graph.walk())
		if ([subject, predicate, object, group].some((term) => names.has(term)))
			documents.add(graph.termAt(document).value);
	return [...documents];
}

function namesOfThing(graph: Graph, iri: string): number[] {
	const own = graph.numberOf(namedNode(iri));
	if (!iri.startsWith("file:")) return own === 0 ? [] : [own];
	const objects = new Set([...graph.walk()].map(({ object }) => object));
	return [...objects, own].filter(
		(node) => node !== 0 && renamedIri(graph.termAt(node).value, { iri, to: "" }) !== undefined,
	);
}
