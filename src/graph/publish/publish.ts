import { createHash } from "node:crypto";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import type { PublishReport, PublishTarget } from "../../core/knowledge/publication.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { toAbsoluteIri } from "../../core/knowledge/writeTerm.ts";
import {
	createEndpointClient,
	type EndpointClient,
	readEndpointAddress,
} from "../endpoint/endpointClient.ts";
import { createLabelScope } from "../facts/graph.ts";
import { linesOf, writeDocument } from "../sparql/sparqlRequest.ts";

export interface PublishedDocument {
	readonly uri: string;
	readonly quads: readonly Quad[];
}

interface PublishOptions {
	readonly target: PublishTarget;
	readonly names: PortableNames;
	readonly documents: AsyncIterable<PublishedDocument>;
	readonly onProgress: (looked: number) => void;
}

const UPDATE_SETTING = "copilot-LD.graph.updateEndpoint";
const TIME_LIMIT_MS = 120_000;
/** Maximum number of characters of a request. A single document may be longer. */
const REQUEST_CHARACTERS = 1_000_000;
const ROWS = 10_000;

const NAMESPACE = "urn:copilot-ld:";
/** The graph that lists all graphs that we wrote, with their digests. */
const LEDGER = `<${NAMESPACE}published>`;
const DIGEST = `<${NAMESPACE}digest>`;

type GraphContent = ReturnType<typeof contentOf>;

/** Names of documents that are equal on every machine and do not reveal a folder's location. */
type PortableNames = ReturnType<typeof createPortableNames>;

/** Writes graphs that are out of date. On request, also drops the graphs of documents that no longer exist. */
export async function publish(options: PublishOptions, signal: AbortSignal): Promise<PublishReport> {
	const { target, names, documents, onProgress } = options;
	const reader = createEndpointClient(readEndpointAddress(target.query), TIME_LIMIT_MS);
	const writer = createEndpointClient(readEndpointAddress(target.update, UPDATE_SETTING), TIME_LIMIT_MS);
	const published = await readDigests(reader, names.prefixes, signal);
	const sender = createSender(writer, signal);
	const report = { written: 0, unchanged: 0, statements: 0, left: 0 };
	let looked = 0;
	for await (const document of documents) {
		const content = contentOf(document, names);
		const digest = published.get(content.name);
		report.left += content.left;
		if (content.lines.length > 0) published.delete(content.name);
		if (content.lines.length === 0 || digest === digestOf(content)) report.unchanged++;
		else {
			await sender.send(writeGraph(content));
			report.written++;
			report.statements += content.lines.length;
		}
		onProgress(++looked);
	}
	if (target.removes) for (const name of published.keys()) await sender.send(removeGraph(name));
	await sender.flush();
	return { ...report, obsolete: published.size };
}

/** No lines for a document outside of the folders. */
function contentOf({ uri, quads }: PublishedDocument, names: PortableNames) {
	const name = names.nameOf(uri);
	if (name === undefined) return { name: uri, lines: [], left: quads.length };
	const kept = names.rename(name, quads);
	const { ground, blank } = writeDocument(uri, kept);
	const lines = [...linesOf(ground), ...linesOf(blank)];
	return { name: toAbsoluteIri(name), lines, left: quads.length - kept.length };
}

function createSender(writer: EndpointClient, signal: AbortSignal) {
	let waiting: string[] = [];
	let characters = 0;
	const flush = async () => {
		if (waiting.length === 0) return;
		const update = waiting.join(" ;\n");
		[waiting, characters] = [[], 0];
		await writer.update(update, signal);
	};
	return {
		flush,
		send: async (update: string) => {
			if (characters + update.length > REQUEST_CHARACTERS) await flush();
			waiting.push(update);
			characters += update.length;
		},
	};
}

/** Digests of published graphs whose names begin with one of the prefixes, by name. */
async function readDigests(client: EndpointClient, prefixes: readonly string[], signal: AbortSignal) {
	const digests = new Map<string, string>();
	for (const prefix of prefixes)
		for await (const { graph, digest } of rowsOf(client, prefix, signal))
			if (graph && digest) digests.set(graph.value, digest.value);
	return digests;
}

async function* rowsOf(client: EndpointClient, prefix: string, signal: AbortSignal) {
	const pattern = `GRAPH ${LEDGER} { ?graph ${DIGEST} ?digest } FILTER(STRSTARTS(STR(?graph), ${JSON.stringify(prefix)}))`;
	for (let offset = 0; ; offset += ROWS) {
		const query = `SELECT ?graph ?digest { ${pattern} } ORDER BY ?graph ?digest LIMIT ${ROWS} OFFSET ${offset}`;
		const { rows } = await client.select(query, signal);
		yield* rows;
		if (rows.length < ROWS) return;
	}
}

function digestOf({ lines }: GraphContent): string {
	return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex");
}

/** SPARQL Update that replaces a graph. If it fails midway, the digest is missing, so the graph is written again. */
function writeGraph(content: GraphContent): string {
	const graph = `<${content.name}>`;
	return [
		removeGraph(content.name),
		`INSERT DATA { GRAPH ${graph} {\n${content.lines.map(asSparql).join("\n")}\n} }`,
		`INSERT DATA { GRAPH ${LEDGER} { ${graph} ${DIGEST} "${digestOf(content)}" } }`,
	].join(" ;\n");
}

/** Escapes `\\u`: SPARQL resolves `\u0041` before parsing, in some stores even after an escaped backslash. */
function asSparql(line: string): string {
	return line.replace(/\\\\[uU]/g, (found) => `\\\\${found.endsWith("u") ? "\\u0075" : "\\u0055"}`);
}

function removeGraph(name: string): string {
	return `DELETE WHERE { GRAPH ${LEDGER} { <${name}> ${DIGEST} ?digest } } ;\nDROP SILENT GRAPH <${name}>`;
}

export function createPortableNames(folders: readonly Folder[]) {
	const prefixOf = ({ name }: Folder) => `${NAMESPACE}${encodeURIComponent(name)}/`;
	const nameOf = (uri: string) => {
		const folder = folders.find(({ uri: root }) => uri.startsWith(`${root}/`));
		return folder && prefixOf(folder) + uri.slice(folder.uri.length + 1);
	};
	return {
		prefixes: folders.map(prefixOf),
		nameOf,
		/** The statements of a document with portable names, without statements about files outside of the folders. */
		rename: (document: string, quads: readonly Quad[]) => {
			const scoped = createLabelScope(document);
			const rename = <Some extends Term>(term: Some): Some | undefined => {
				if (term.termType === "BlankNode") return { ...term, value: scoped(term.value) };
				if (term.termType !== "NamedNode" || !/^file:/i.test(term.value)) return term;
				const name = nameOf(term.value);
				return name === undefined ? undefined : { ...term, value: name };
			};
			return quads.flatMap((quad) => {
				const [subject, predicate] = [rename(quad.subject), rename(quad.predicate)];
				const object = rename(quad.object);
				return subject && predicate && object ? [{ ...quad, subject, predicate, object }] : [];
			});
		},
	};
}
