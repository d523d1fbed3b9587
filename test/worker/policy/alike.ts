import type { TestContext } from "node:test";
import type { WorkerOptions } from "../../../src/protocol/worker.ts";
import { never } from "../workerProcess.ts";
import type { Files } from "../workspace.ts";
import { openPolicy } from "./openPolicy.ts";

const QUERIES = [
	"SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
	"SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p ORDER BY ?p",
	"SELECT * { <urn:rock> ?p ?o }",
	"SELECT * { ?s a ?c } ORDER BY ?s",
];

/** What differs by chance: where the folder is, and how long something took. */
function plain(answer: unknown, root: string): string {
	const kept = (key: string, value: unknown) => (key === "durationMs" ? undefined : value);
	return JSON.stringify(answer, kept, 1).replaceAll(root, "");
}

export interface Asked {
	readonly policy: string;
	readonly searches: readonly string[];
	readonly targets: readonly string[];
	readonly iris: readonly string[];
	readonly options?: Partial<WorkerOptions>;
}

/** What a folder answers under a policy, in all channels of its worker, by question. */
async function everything(t: TestContext, files: Files, asking: Asked) {
	const { policy, searches, targets, iris, options } = asking;
	const { knowledge, graph, things, workspace } = await openPolicy(t, policy, files, options);
	const door = "mcp";
	const asked = (name: string, ask: () => Promise<unknown>) => async () => {
		const answer = await ask().catch(String);
		return [name, plain(answer, workspace.root)] as const;
	};
	const asks = [
		...searches.flatMap((query) => [
			asked(`search ${query}`, () => knowledge.search({ query, door, limit: 20, wantsAnswer: true }, never)),
			asked(`words ${query}`, () => knowledge.search({ query, door, limit: 3, index: "content" }, never)),
			asked(`logs ${query}`, () => knowledge.search({ query, door, sources: ["logs/"] }, never)),
		]),
		...targets.map((target) => asked(`read ${target}`, () => knowledge.read({ target, door }, never))),
		...QUERIES.map((sparql) => asked(sparql, () => graph.query({ sparql, door }, never))),
		asked("ontology", () => graph.ontology({ budgetTokens: 4000, focus: "salary pay", door }, never)),
		asked("check", () =>
			graph.check({ sparql: "ASK { ?s <urn:v#salar> ?o ; a <urn:v#Informe> }", door }, never),
		),
		...["", "Zul", "Ann", "Pi", "sal"].map((words) =>
			asked(`find ${words}`, () => things.find({ words, limit: 100, door }, never)),
		),
		asked("overview", () => things.overview({ limit: 100, door }, never)),
		...iris.flatMap((iri) => [
			asked(`describe ${iri}`, () => things.describe({ iri, door }, never)),
			asked(`neighbours ${iri}`, () => things.neighbours({ iris: [iri], door }, never)),
			asked(`pointers ${iri}`, () => things.pointers({ iri, door }, never)),
		]),
		asked("shapes", () => things.checkShapes({ door }, never)),
		asked("prefixes", () => things.prefixes({ door }, never)),
	];
	const told: (readonly [string, string])[] = [];
	// One after the other: the first question to a graph says that it was read.
	for (const ask of asks) told.push(await ask());
	return told;
}

type Both = readonly [Files, Files];

/** The questions that two folders answer differently. */
export async function questionsThatDiffer(t: TestContext, folders: Both, asking: Asked): Promise<string[]> {
	const [one, other] = await Promise.all(folders.map((files) => everything(t, files, asking)));
	return (one ?? []).filter(([, answer], at) => answer !== other?.[at]?.[1]).map(([asked]) => asked);
}
