import { Failure } from "../../base/failure.ts";
import { pairsOf } from "../../base/language/unspaced.ts";
import { measured } from "../../base/traces/recorder.ts";
import { formatPlace, type LineRange, type PlaceOf } from "../../core/knowledge/citation.ts";
import type { FactGraph, KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import type { ReadQuery, SearchQuery, SearchResult } from "../../core/knowledge/knowledge.ts";
import {
	CHANNELS,
	type Channel,
	type FromChannel,
	rulesByChannel,
} from "../../core/permission/permission.ts";
import { aliasesOf } from "../../graph/facts/sameThings.ts";
import { createKnowledgeGraph } from "../../graph/knowledgeGraph.ts";
import { createSparql, type Sparql } from "../../graph/sparql/sparql.ts";
import { callPort, createPort } from "../../protocol/ports.ts";
import { createDescriptorLeg, type Sight } from "../../retrieve/descriptorLeg.ts";
import { createRetriever } from "../../retrieve/search.ts";
import type { Visibility } from "../../sessions/visibility/visibility.ts";
import type { Reads } from "../../store/port/store.ts";
import { createChannelReads } from "../policy/channelReads.ts";
import { createMemberships, type Policies } from "../policy/policies.ts";
import { createDeclaredPrefixes } from "./declaredPrefixes.ts";
import { describeLinks } from "./links.ts";
import { createReader, placeIn } from "./read.ts";
import { createStoreGraph, type StoreGraph } from "./storeGraph.ts";
import { type AnswerPorts, type CommonPorts, createThings, indexedPaths } from "./things.ts";

const MOST = 5;

const LEAST_SIMILARITY = 0.5;

type Answers = ReturnType<typeof createAnswers>;

function createAnswers(ports: AnswerPorts) {
	const { store, storeGraph, pathOf } = ports;
	const { graph } = storeGraph;
	const closing = new AbortController();
	const placeOf: PlaceOf = (uri, lines) => placeIn(store.documents().get(uri)?.parts ?? [], lines);
	const declared = createDeclaredPrefixes(store);
	const { search, refresh } = createRetriever({
		...ports,
		store: measuredReads(store),
		placeOf,
		descriptors: createDescriptorLeg({ store, index: ports.descriptors, sight: ports.sight }),
		facts: {
			graph,
			ready: async (signal) => (await storeGraph.soon(signal)) !== undefined,
			catchUp: storeGraph.catchUp,
		},
	});
	const suggest = createSuggest(search, () => indexedPaths(store, pathOf));
	const thread = createSparql({ graph, threadUrl: ports.sparqlProgram });
	const sparql: Sparql = { ...thread, query: (...asked) => measured("sparql", () => thread.query(...asked)) };
	const read = createReader({
		...ports,
		placeOf,
		suggest,
		aliasesOf: async (id, signal) => aliasesOf(await storeGraph.current(signal), id),
	});
	const cite = (uri: string, lines: LineRange) => ({ path: pathOf(uri), lines: placeOf(uri, lines) });
	return {
		search,
		read: async (query: ReadQuery, signal: AbortSignal) => {
			const result = await read(query, signal);
			const id = result.parts.length > 0 ? await resourceNamed(query.target, store) : undefined;
			if (id === undefined) return result;
			return { ...result, links: describeLinks(await storeGraph.current(signal), id) };
		},
		graph: inStep(createKnowledgeGraph({ graph, sparql, cite, declared }), storeGraph),
		things: createThings(ports, declared),
		invalidate: storeGraph.invalidate,
		loadAhead: () => storeGraph.readAhead(() => refresh().then(() => sparql.load(closing.signal))),
		close: async () => {
			closing.abort();
			await Promise.all([storeGraph.close(), sparql.close()]);
		},
	};
}

function measuredReads(store: Reads): Reads {
	return {
		...store,
		matchText: (...asked) => measured("search by words", () => store.matchText(...asked)),
		matchVector: (...asked) => measured("search by meaning", () => store.matchVector(...asked)),
		rowsAbout: (...asked) => measured("search by the graph", () => store.rowsAbout(...asked)),
		read: (...asked) => measured("read passages", () => store.read(...asked)),
	};
}

/** Returns `undefined` for a file and for a label that several resources share. */
async function resourceNamed(target: string, store: Reads): Promise<string | undefined> {
	if ((await store.passagesAbout(target)).length > 0) return target;
	const labelled = await store.resourcesLabelled(target);
	const ids = new Set(labelled.map(({ resource }) => resource.id));
	const [id] = ids;
	return ids.size === 1 && !id?.startsWith("_:") ? id : undefined;
}

const LOADED_NOTICE =
	"The graph had to be read before this answer. The next answer does not have to wait for it.";

/** Brings the graph up to date before every query. The first query reads the whole graph. */
function inStep(knowledge: FactGraph, graph: StoreGraph): FactGraph {
	const after = async <Result>(signal: AbortSignal, ask: () => Promise<Result>) => {
		await graph.current(signal);
		return ask();
	};
	return {
		query: async (query, signal) => {
			const wasRead = (await graph.soon(signal)) !== undefined;
			const result = await after(signal, () => knowledge.query(query, signal));
			return wasRead ? result : { ...result, notices: [LOADED_NOTICE, ...result.notices] };
		},
		check: (query, signal) => after(signal, () => knowledge.check(query, signal)),
		ontology: (query, signal) => after(signal, () => knowledge.ontology(query, signal)),
	};
}

function createSuggest(search: ReturnType<typeof createRetriever>["search"], paths: () => readonly string[]) {
	return async (name: string, signal: AbortSignal): Promise<string[]> => {
		const { hits } = await search({ query: name, limit: MOST }, signal);
		const worded = hits
			.filter(({ why }) => why.text !== undefined)
			.map(({ iri, path, lines }) => iri ?? `${path}:${formatPlace(lines)}`);
		const similar = paths()
			.map((path) => ({ path, similarity: similarity(name.toLowerCase(), path.toLowerCase()) }))
			.filter((candidate) => candidate.similarity >= LEAST_SIMILARITY)
			.sort((a, b) => b.similarity - a.similarity);
		return [...new Set([...similar.map(({ path }) => path), ...worded])].slice(0, MOST);
	};
}

/** Sørensen–Dice coefficient over pairs of characters. */
function similarity(a: string, b: string): number {
	const [ofA, ofB] = [new Set(pairsOf(a)), new Set(pairsOf(b))];
	return (2 * ofA.intersection(ofB).size) / Math.max(1, ofA.size + ofB.size);
}

export interface ChannelPorts extends CommonPorts {
	readonly policies: Policies;
	readonly isLarge: () => boolean;
}

export function createChannels(ports: ChannelPorts) {
	const open: OpenChannel = {
		sight: ALL,
		notices: () => [],
		answers: createAnswers({ ...ports, sight: ALL, hiddenLines: async () => undefined }),
	};
	const guarded = new Map<Channel, OpenChannel>();
	const all = () => [open, ...guarded.values()].map(({ answers }) => answers);
	/** Reads the policy once per question. Channels without a policy share one graph. */
	const channelOf = (channel: Channel): OpenChannel => {
		// A client of another version may send an unknown channel, for which no policy would apply.
		if (!CHANNELS.includes(channel))
			throw new Failure("BAD_INPUT", `A question must name its channel: ${CHANNELS.join(", ")}.`);
		if (!ports.policies.read(channel)) return open;
		const opened = guarded.get(channel) ?? guard(channel, ports);
		guarded.set(channel, opened);
		return opened;
	};
	const at = (channel: Channel) => channelOf(channel).answers;
	return {
		search: async (query: FromChannel<SearchQuery>, signal: AbortSignal): Promise<SearchResult> => {
			const channel = channelOf(query.channel);
			const result = noticing(await channel.answers.search(query, signal), channel);
			return channel === open ? result : { ...result, extent: "visible" };
		},
		read: (query: FromChannel<ReadQuery>, signal: AbortSignal) => at(query.channel).read(query, signal),
		graph: {
			query: async (query, signal) => {
				const channel = channelOf(query.channel);
				const result = noticing(await channel.answers.graph.query(query, signal), channel);
				return channel === open ? result : { ...result, isPartial: true };
			},
			check: (query, signal) => at(query.channel).graph.check(query, signal),
			ontology: (query, signal) => at(query.channel).graph.ontology(query, signal),
		} satisfies KnowledgeGraph,
		things: thingsAtChannels(at, ports.policies),
		visibility: {
			rules: async () => rulesByChannel((channel) => ports.policies.read(channel)?.rules ?? []),
			sees: async (channel, uris) => (await channelOf(channel).sight.whole(uris)).size === new Set(uris).size,
		} satisfies Visibility,
		sightOf: (channel: Channel) => channelOf(channel).sight,
		invalidate: (uris: readonly string[]) => {
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

/** Shown whenever a policy applies: a notice shown only with hidden statements would reveal them. */
const POLICY_APPLIES = "A policy applies: hidden statements are not counted.";

const HIDDEN_NAMES =
	"A policy of this folder hides files or parts of them from the chat. What it hides keeps the old name.";

function thingsAtChannels(at: (channel: Channel) => Answers, policies: Policies): Things {
	const things = createPort("things", ({ method }, [query, signal]) =>
		callPort(at((query as { channel: Channel }).channel).things, method, [query, signal]),
	);
	return {
		...things,
		rename: async (query, signal) => {
			const renaming = await things.rename(query, signal);
			if (!policies.last(query.channel)) return renaming;
			const { notice } = renaming;
			return { ...renaming, notice: notice === undefined ? HIDDEN_NAMES : `${notice} ${HIDDEN_NAMES}` };
		},
	};
}

interface OpenChannel {
	readonly answers: Answers;
	readonly sight: Sight;
	readonly notices: () => readonly string[];
}

const ALL: Sight = { version: async () => "", whole: async (uris) => new Set(uris) };

function guard(channel: Channel, ports: ChannelPorts): OpenChannel {
	const policy = () => ports.policies.last(channel);
	const memberships = createMemberships(ports.storeGraph);
	const sight = createChannelReads({ store: ports.store, policy, memberships });
	const { reads: store, version, hiddenLines } = sight;
	const storeGraph = createStoreGraph(store, { version, isLarge: ports.isLarge });
	const answers = createAnswers({ ...ports, store, sight, hiddenLines, storeGraph });
	return { answers, sight, notices: () => [...(policy()?.notices ?? []), POLICY_APPLIES] };
}

function noticing<Answer extends { notices: readonly string[] }>(answer: Answer, { notices }: OpenChannel) {
	return { ...answer, notices: [...notices(), ...answer.notices] };
}
