import { readFile } from "node:fs/promises";
import type { TestContext } from "node:test";
import type { SearchQuery } from "../../../src/core/knowledge/knowledge.ts";
import type { Door } from "../../../src/core/permission/permission.ts";
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
		const asked = { iri, to, open: [], door: "chat" } as const;
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
	"SELECT * { ?s <urn:v#salar> ?o ; <https://example.org/salarie> ?o ; a <urn:v#Informe>, <https://schema.org/Persons> }";

export interface Asking {
	readonly searches: readonly (string | SearchQuery)[];
	readonly targets: readonly string[];
	readonly iris?: readonly string[];
	/** Queries in addition to `QUERIES`. */
	readonly sparql?: readonly string[];
}

type Opened = Pick<Awaited<ReturnType<typeof openPolicy>>, "knowledge" | "graph" | "things" | "workspace">;

const queryOf = (search: string | SearchQuery) => (typeof search === "string" ? { query: search } : search);

/** Formats an answer without its random parts: the location of the folder and durations. */
function plain(answer: unknown, root: string): string {
	const kept = (key: string, value: unknown) => (key === "durationMs" ? undefined : value);
	return JSON.stringify(answer, kept)?.replaceAll(root, "") ?? "nothing";
}

/** Asks everything that a channel can ask, and returns the answers by question. */
export async function everything(opened: Opened, door: Door, asking: Asking) {
	const { knowledge, graph, things, workspace } = opened;
	const { searches, targets, iris = [], sparql = [] } = asking;
	const asks: Record<string, () => Promise<unknown>> = {
		ontology: () => graph.ontology({ budgetTokens: 8000, focus: "salary pay", door }, never),
		check: () => graph.check({ sparql: GUESS, door }, never),
		overview: () => things.overview({ limit: 1000, door }, never),
		shapes: () => things.checkShapes({ door }, never),
		prefixes: () => things.prefixes({ door }, never),
		documents: () => things.documents({ words: "", limit: 1000, door }, never),
	};
	for (const way of [
		{ limit: 50, wantsAnswer: true },
		{ limit: 3, index: "content" },
	] as const)
		for (const query of searches.map((search) => ({ ...way, ...queryOf(search), door })))
			asks[`search ${JSON.stringify(query)}`] = () => knowledge.search(query, never);
	for (const target of targets) {
		asks[`read ${target}`] = () => knowledge.read({ target, door }, never);
		Object.assign(asks, asksAt(target, workspace.uri(target), things, door));
	}
	for (const query of [...QUERIES, ...sparql, ...iris.map((iri) => `DESCRIBE <${iri}>`)])
		asks[query] = () => graph.query({ sparql: query, limit: 1000, door }, never);
	for (const words of ["", "Zul", "zork", "Ann", "Pi", "sal"])
		asks[`find ${words}`] = () => things.find({ words, limit: 100, door }, never);
	for (const [at, iri] of iris.entries()) {
		Object.assign(asks, asksAbout(iri, things, door));
		asks[`path ${iri}`] = () => things.path({ from: iri, to: iris.at(at - 1) ?? iri, door }, never);
	}
	const answers = new Map<string, string>();
	// In sequence, because the first answer from a graph says that it was read.
	for (const [name, ask] of Object.entries(asks))
		answers.set(name, plain(await ask().catch(String), workspace.root));
	return answers;
}

function asksAt(target: string, uri: string, things: Opened["things"], door: Door) {
	const places = [{ uri, lines: { start: 1, end: 9 } }];
	return {
		[`described ${target}`]: () => things.described({ uri, door }, never),
		[`at ${target}`]: () => things.at({ places, door }, never),
		[`notes ${target}`]: () => things.notes({ iris: [uri], door }, never).then(Object.values),
		[`mentions ${target}`]: () => things.mentions({ iri: uri, door }, never),
	};
}

function asksAbout(iri: string, things: Opened["things"], door: Door) {
	return {
		[`describe ${iri}`]: () => things.describe({ iri, door }, never),
		[`neighbours ${iri}`]: () => things.neighbours({ iris: [iri], door }, never),
		[`pointers ${iri}`]: () => things.pointers({ iri, door }, never),
		[`named ${iri}`]: () => things.named({ iris: [iri], door }, never),
	};
}

/** Returns all answers as one text without notices, which may repeat the words of a question. */
export async function told(opened: Opened, door: Door, asking: Asking): Promise<string> {
	const answers = [...(await everything(opened, door, asking)).values()];
	return answers.join("\n").replaceAll(/"notices":\[[^\]]*\]/g, "");
}

export interface Asked extends Asking {
	readonly policy: string;
	readonly options?: Partial<WorkerOptions>;
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
