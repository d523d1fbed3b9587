import { readFile } from "node:fs/promises";
import type { TestContext } from "node:test";
import type { SearchQuery } from "../../../src/core/knowledge/knowledge.ts";
import type { Channel } from "../../../src/core/permission/permission.ts";
import type { WorkerOptions } from "../../../src/protocol/worker.ts";
import { applyEdits } from "../../../src/worker/parsing/renameInFile.ts";
import { type Files, never, startIndexed } from "../workspace.ts";

export const CONFIG = ".copilot-ld/config.yaml";
export const NO_RULES = "exclude: [.copilot-ld/]\n";

type Options = Partial<WorkerOptions>;

export async function openPolicy(t: TestContext, config: string, files: Files, options: Options = {}) {
	const { workspace, ...worker } = await startIndexed(t, { ...files, [CONFIG]: config }, options);
	/** Renames a resource, and returns the edited texts by path. */
	const rename = async (iri: string, to: string) => {
		const asked = { iri, to, open: [], channel: "chat" } as const;
		const { files: edited, notice } = await worker.things.rename(asked, never);
		const texts: Record<string, string> = {};
		for (const { uri, edits } of edited) {
			const path = decodeURIComponent(uri.slice(workspace.folder.uri.length + 1));
			texts[path] = applyEdits(await readFile(new URL(uri), "utf8"), edits);
		}
		return { texts, notice };
	};
	return { ...worker, workspace, rename };
}

const QUERIES = [
	"SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
	"SELECT ?p (COUNT(*) AS ?n) (MAX(STR(?o)) AS ?last) { ?s ?p ?o } GROUP BY ?p ORDER BY ?p",
	"SELECT * { ?s ?p ?o }",
	"SELECT * { GRAPH ?g { ?s ?p ?o } }",
	"SELECT * { ?s a ?c } ORDER BY ?s",
	"CONSTRUCT { ?o ?p ?s } WHERE { ?s ?p ?o FILTER(!isLiteral(?o)) }",
	"SELECT (GROUP_CONCAT(CONCAT(STR(?s), STR(?p), STR(?o))) AS ?all) { ?s ?p ?o }",
];

/** Query with names that do not exist but are similar to hidden ones. */
const GUESS =
	"SELECT * { ?s <urn:v#salar> ?o ; <urn:salarie> ?o ; a <urn:v#Informe>, <https://schema.org/Persons> }";

export interface Asking {
	readonly searches: readonly (string | SearchQuery)[];
	readonly targets: readonly string[];
	readonly iris?: readonly string[];
	readonly sparql?: readonly string[];
}

type Opened = Pick<Awaited<ReturnType<typeof openPolicy>>, "knowledge" | "graph" | "things" | "workspace">;

const queryOf = (search: string | SearchQuery) => (typeof search === "string" ? { query: search } : search);

/** Formats an answer without its random parts: the location of the folder and durations. */
function plain(answer: unknown, root: string): string {
	const kept = (key: string, value: unknown) => (key === "durationMs" ? undefined : value);
	return JSON.stringify(answer, kept)?.replaceAll(root, "") ?? "nothing";
}

const WAYS = [{ limit: 50, wantsAnswer: true }, { limit: 3, index: "content" } as const];

type Method = (query: never, signal: AbortSignal) => Promise<unknown>;
type Ask = readonly [name: string, method: Method, query: object];

function asksOf({ knowledge, graph, things, workspace }: Opened, asking: Asking): Ask[] {
	const { searches, targets, iris = [], sparql = [] } = asking;
	const asks: Ask[] = [
		["ontology", graph.ontology, { budgetTokens: 8000, focus: "salary pay" }],
		["check", graph.check, { sparql: GUESS }],
		["overview", things.overview, { limit: 1000 }],
		["shapes", things.checkShapes, {}],
		["prefixes", things.prefixes, {}],
		["documents", things.documents, { words: "", limit: 1000 }],
	];
	for (const query of WAYS.flatMap((way) => searches.map((search) => ({ ...way, ...queryOf(search) }))))
		asks.push([`search ${JSON.stringify(query)}`, knowledge.search, query]);
	// Without the keys, which repeat the question.
	const notes: Method = async (query, signal) => Object.values(await things.notes(query, signal));
	for (const target of targets) {
		const uri = workspace.uri(target);
		asks.push([`read ${target}`, knowledge.read, { target }]);
		asks.push([`described ${target}`, things.described, { uri }]);
		asks.push([`at ${target}`, things.at, { places: [{ uri, lines: { start: 1, end: 9 } }] }]);
		asks.push([`notes ${target}`, notes, { iris: [uri] }]);
		asks.push([`mentions ${target}`, things.mentions, { iri: uri }]);
	}
	for (const query of [...QUERIES, ...sparql, ...iris.map((iri) => `DESCRIBE <${iri}>`)])
		asks.push([query, graph.query, { sparql: query, limit: 1000 }]);
	for (const words of ["", "Zul", "zork", "Ann", "Pi", "sal"])
		asks.push([`find ${words}`, things.find, { words, limit: 100 }]);
	for (const [at, iri] of iris.entries()) {
		asks.push([`path ${iri}`, things.path, { from: iri, to: iris.at(at - 1) ?? iri }]);
		for (const name of ["describe", "pointers"] as const)
			asks.push([`${name} ${iri}`, things[name], { iri }]);
		for (const name of ["neighbours", "named"] as const)
			asks.push([`${name} ${iri}`, things[name], { iris: [iri] }]);
	}
	return asks;
}

/** Asks everything that a channel can ask, and returns the answers by question. */
export async function everything(opened: Opened, channel: Channel, asking: Asking) {
	const answers = new Map<string, string>();
	// In sequence, because the first answer from a graph says that it was read.
	for (const [name, ask, query] of asksOf(opened, asking)) {
		const answer = await ask({ ...query, channel } as never, never).catch(String);
		answers.set(name, plain(answer, opened.workspace.root));
	}
	return answers;
}

/** Returns all answers as one text without notices, which may repeat the words of a question. */
export async function told(opened: Opened, channel: Channel, asking: Asking): Promise<string> {
	const answers = [...(await everything(opened, channel, asking)).values()];
	return answers.join("\n").replaceAll(/"notices":\[[^\]]*\]/g, "");
}

export interface Asked extends Asking {
	readonly policy: string;
	readonly options?: Options;
}

/** Returns the questions that two folders answer differently under the same policy. */
export async function questionsThatDiffer(
	t: TestContext,
	folders: readonly [Files, Files],
	{ policy, options, ...asking }: Asked,
): Promise<string[]> {
	const answersOf = async (files: Files) =>
		everything(await openPolicy(t, policy, files, options), "mcp", asking);
	const [one, other] = [await answersOf(folders[0]), await answersOf(folders[1])];
	return [...one.keys()].filter((asked) => one.get(asked) !== other.get(asked));
}
