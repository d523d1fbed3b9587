import type { KnowledgeGraph } from "../../core/graph.ts";
import type { Knowledge } from "../../core/knowledge.ts";
import type { Door } from "../../core/policy.ts";
import { type AnswerPorts, type Answers, createAnswers } from "../answers/answers.ts";
import { createStoreGraph } from "../answers/storeGraph.ts";
import { createGuardedStore } from "./guardedStore.ts";
import { createMemberships } from "./membership.ts";
import type { DoorPolicy } from "./policies.ts";

export interface DoorPorts extends Omit<AnswerPorts, "hiddenLines"> {
	/** What is hidden from a door now; `undefined` where nothing is. */
	readonly policyOf: (door: Door) => DoorPolicy | undefined;
	/** What every answer from a guarded door must say. */
	readonly notices: () => readonly string[];
}

/** Answers to every door, each from what it may see. */
export interface Doors extends Pick<Knowledge, "search" | "read"> {
	readonly graph: KnowledgeGraph;
	/** Has these documents read again into the graphs. */
	invalidate(uris: readonly string[]): void;
	close(): Promise<void>;
}

export function createDoors(ports: DoorPorts): Doors {
	const open = createAnswers({ ...ports, hiddenLines: async () => undefined });
	const guarded = new Map<Door, Answers>();
	const all = () => [open, ...guarded.values()];
	/** Doors from which nothing is hidden share one graph. */
	const at = (door: Door = "chat"): Answers => {
		if (!ports.policyOf(door)) return open;
		const answers = guarded.get(door) ?? guard(door, ports);
		guarded.set(door, answers);
		return answers;
	};
	return {
		search: async (query, signal) => noticing(await at(query.door).search(query, signal), ports),
		read: (query, signal) => at(query.door).read(query, signal),
		graph: {
			query: async (query, signal) => noticing(await at(query.door).graph.query(query, signal), ports),
			check: (sparql, signal, door) => at(door).graph.check(sparql, signal),
			ontology: (query, signal) => at(query.door).graph.ontology(query, signal),
		},
		invalidate: (uris) => {
			for (const answers of all()) answers.invalidate(uris);
		},
		close: async () => {
			await Promise.all(all().map((answers) => answers.close()));
		},
	};
}

function guard(door: Door, ports: DoorPorts): Answers {
	const policy = () => ports.policyOf(door);
	const memberships = createMemberships(ports.storeGraph);
	const { store, version, hiddenLines } = createGuardedStore({ store: ports.store, policy, memberships });
	return createAnswers({ ...ports, store, hiddenLines, storeGraph: createStoreGraph(store, version) });
}

function noticing<Answer extends { readonly notices: readonly string[] }>(
	answer: Answer,
	{ notices }: DoorPorts,
): Answer {
	return { ...answer, notices: [...notices(), ...answer.notices] };
}
