import { Failure } from "../../base/failure.ts";
import type { KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { DOORS, type Door, rulesByDoor } from "../../core/permission/permission.ts";
import { callPort, createPort } from "../../protocol/ports.ts";
import type { Sight } from "../../retrieve/descriptorLeg.ts";
import type { Visibility } from "../../sessions/visibility/visibility.ts";
import type { Reads } from "../../store/port/store.ts";
import { createDoorReads } from "../policy/doorReads.ts";
import { createMemberships } from "../policy/memberships.ts";
import type { Policies } from "../policy/policies.ts";
import type { Answers, CommonPorts } from "./answerPorts.ts";
import { createAnswers } from "./answers.ts";
import { createStoreGraph, type StoreGraph } from "./storeGraph.ts";

export interface DoorPorts extends CommonPorts {
	readonly store: Reads;
	readonly storeGraph: StoreGraph;
	readonly policies: Policies;
	readonly isLarge: () => boolean;
}

/** Answers to every door, each from what it may see. */
export interface Doors {
	readonly search: Knowledge["search"];
	readonly read: Knowledge["read"];
	readonly graph: KnowledgeGraph;
	readonly things: Things;
	readonly visibility: Visibility;
	sightOf(door: Door): Sight;
	invalidate(uris: readonly string[]): void;
	/** Loads what the first question to a large graph would wait for, at the doors that were asked. */
	loadAhead(): void;
	close(): Promise<void>;
}

export function createDoors(ports: DoorPorts): Doors {
	const open: OpenDoor = {
		sight: ALL,
		notices: () => [],
		answers: createAnswers({ ...ports, sight: ALL, hiddenLines: async () => undefined }),
	};
	const guarded = new Map<Door, OpenDoor>();
	const all = () => [open, ...guarded.values()].map(({ answers }) => answers);
	/** Where a question comes in: the policy is read here. Doors from which nothing is hidden share one graph. */
	const doorOf = (door: Door): OpenDoor => {
		requireDoor(door);
		if (!ports.policies.read(door)) return open;
		const opened = guarded.get(door) ?? guard(door, ports);
		guarded.set(door, opened);
		return opened;
	};
	const at = (door: Door) => doorOf(door).answers;
	return {
		search: async (query, signal) => {
			const door = doorOf(query.door);
			const result = noticing(await door.answers.search(query, signal), door);
			return door === open ? result : { ...result, extent: "visible" };
		},
		read: (query, signal) => at(query.door).read(query, signal),
		graph: {
			query: async (query, signal) => {
				const door = doorOf(query.door);
				const result = noticing(await door.answers.graph.query(query, signal), door);
				return door === open ? result : { ...result, isPartial: true };
			},
			check: (query, signal) => at(query.door).graph.check(query, signal),
			ontology: (query, signal) => at(query.door).graph.ontology(query, signal),
		},
		things: thingsAtDoors(at, ports.policies),
		visibility: {
			rules: async () => rulesByDoor((door) => ports.policies.read(door)?.rules ?? []),
			sees: async (door, uris) => (await doorOf(door).sight.whole(uris)).size === new Set(uris).size,
		},
		sightOf: (door) => doorOf(door).sight,
		invalidate: (uris) => {
			for (const answers of all()) answers.invalidate(uris);
		},
		loadAhead: () => {
			for (const answers of all()) answers.loadAhead();
		},
		close: async () => {
			await Promise.all(all().map((answers) => answers.close()));
		},
	};
}

/** Depends on the policy alone: a notice that came and went with hidden statements would show that there are some. */
const POLICY_APPLIES = "A policy applies: hidden statements are not counted.";

const HIDDEN_NAMES =
	"A policy of this folder hides files or parts of them from the chat. What it hides keeps the old name.";

/** Adds a notice to a rename if the editor does not change everything, because it hides some of it. */
function thingsAtDoors(at: (door: Door) => Answers, policies: Policies): Things {
	const things = createPort("things", ({ method }, [query, signal]) =>
		callPort(at((query as { door: Door }).door).things, method, [query, signal]),
	);
	return {
		...things,
		rename: async (query, signal) => {
			const renaming = await things.rename(query, signal);
			return policies.last(query.door) ? { ...renaming, notice: HIDDEN_NAMES } : renaming;
		},
	};
}

/**
 * The other side of the pipe may have another version: a request without a channel must not get the answers of the
 * least restricted one.
 */
function requireDoor(door: unknown): void {
	if (!DOORS.some((known) => known === door))
		throw new Failure("BAD_INPUT", `A question must say by which door it comes: ${DOORS.join(", ")}.`);
}

interface OpenDoor {
	readonly answers: Answers;
	readonly sight: Sight;
	readonly notices: () => readonly string[];
}

/** The sight of a channel from which nothing is hidden. */
const ALL: Sight = { version: async () => "", whole: async (uris) => new Set(uris) };

function guard(door: Door, ports: DoorPorts): OpenDoor {
	const policy = () => ports.policies.last(door);
	const memberships = createMemberships(ports.storeGraph);
	const sight = createDoorReads({ store: ports.store, policy, memberships });
	const { reads: store, version, hiddenLines } = sight;
	const storeGraph = createStoreGraph(store, { version, isLarge: ports.isLarge });
	const answers = createAnswers({ ...ports, store, sight, hiddenLines, storeGraph });
	return { answers, sight, notices: () => [...(policy()?.notices ?? []), POLICY_APPLIES] };
}

function noticing<Answer extends { readonly notices: readonly string[] }>(
	answer: Answer,
	{ notices }: OpenDoor,
): Answer {
	return { ...answer, notices: [...notices(), ...answer.notices] };
}
