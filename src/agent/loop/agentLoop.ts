import { messageOf } from "../../base/failure.ts";
import type {
	ActingAgent,
	AgentEvent,
	AgentRequest,
	Attachment,
	Heard,
	Runner,
	ToolCall,
} from "../../core/agent/agentEvent.ts";
import { mayUse } from "../../core/agent/allowedTools.ts";
import { answerIn } from "../../core/agent/turnAnswer.ts";
import { type Citation, citationsIn, uncited } from "../../core/knowledge/citation.ts";
import { formatListings } from "../../core/knowledge/evidence.ts";
import type { Hit, SearchResult } from "../../core/knowledge/knowledge.ts";
import type { Recollection } from "../../core/session/memory.ts";
import {
	type Assets,
	breakLines,
	createAssetShelf,
	fillRefs,
	mayTakeRefs,
	POINTED_LINES,
	pointedTo,
	READ_TOOL,
	SCHEME,
	withAssetName,
} from "../assets/assets.ts";
import type { AgentPorts, Instructions, Model, ToolPorts } from "../ports.ts";
import type { PromptFacts } from "../prompt/promptFacts.ts";
import { callsText } from "../window/fitWindow.ts";
import { renderMessages } from "../window/renderMessages.ts";
import { type CutNote, plainNote } from "../window/tokenCounts.ts";
import { citeEvents } from "./citationStream.ts";
import { collect, quoteFound, type Reply } from "./reply.ts";
import { searchFirst } from "./search.ts";

interface ToolOutcome {
	readonly call: ToolCall;
	readonly ok: boolean;
	readonly text: string;
}

type ToolRuns = ReturnType<typeof createToolRuns>;

const TOLD = 8;

export function createAgent(allPorts: AgentPorts): Runner {
	return async function* runTurn(given, signal) {
		const ports = actingPorts(allPorts, given.agent);
		const { request: seen, unseen } = asSeen(given, ports.model);
		const request: AgentRequest = {
			...seen,
			attachments: [...seen.attachments, ...earlierResults(ports, seen.session)],
		};
		yield { kind: "progress", text: "Searching the knowledge base" };
		const [found, remembered] = await Promise.all([
			searchFirst(ports, request, signal),
			recall(ports, request, signal),
		]);
		const instructions = (await ports.readInstructions?.(pathsFor(request, found))) ?? NO_INSTRUCTIONS;
		yield { kind: "retrieved", hits: found.hits, isAll: isAll(found, remembered.recollections) };
		for (const text of [...unseen, ...found.notices, ...remembered.notices, ...instructions.notices])
			yield { kind: "notice", text };
		const runs = createToolRuns(ports, ports.assets?.of(request.session));
		const { instructions: own } = request;
		const facts = {
			request,
			hits: found.hits,
			listing: formatListings(found).join("\n\n") || undefined,
			summary: ports.summaryOf?.(request.history),
			recollections: remembered.recollections,
			// Instructions from files apply to all sessions; instructions of this session follow.
			instructions: [...instructions.texts, ...(own ? [{ name: "this session", text: own }] : [])],
			rounds: [],
			tools: ports.tools,
			folderNames: ports.folderNames,
		};
		yield* answer({ ports, found, runs, shown: [] }, facts, signal);
	};
}

/** Asks with tools until the model calls none. After the last round, asks without tools. */
async function* answer(turn: Turn, given: PromptFacts, signal: AbortSignal): AsyncGenerator<AgentEvent> {
	const { ports, runs } = turn;
	const heard = given.request.steering?.listen(() => undefined);
	let facts = given;
	for (;;) {
		const isLast = facts.rounds.length >= ports.maxRounds;
		facts = { ...facts, request: withWords(facts.request, heard), tools: isLast ? [] : ports.tools };
		const reply = yield* askModel(turn, facts, signal);
		if (isLast || reply.calls.length === 0) return yield* endOf(reply, isLast ? "roundLimit" : "done", turn);
		const outcomes = yield* runTools(runs, reply.calls, signal);
		facts = { ...facts, rounds: [...facts.rounds, { text: reply.text, calls: reply.calls, outcomes }] };
	}
}

function pathsFor({ attachments, sources = [] }: AgentRequest, { hits }: SearchResult): string[] {
	const named = attachments.map(({ name }) => name.replace(/:\d+(?:-\d+)?$/, ""));
	return [...new Set([...named, ...sources, ...hits.map(({ path }) => path)])];
}

function* endOf(
	{ text, isCut }: Reply,
	reason: "done" | "roundLimit",
	{ found, ports: { model } }: Turn,
): Generator<AgentEvent> {
	if (answerIn(text).trim() === "") return yield* quoteFound(found);
	const writer = model.named && { model: model.named.model };
	yield { kind: "ended", reason, ...writer, ...(isCut && { isCut }) };
}

function asSeen(given: AgentRequest, { canSeeImages = false }: Model) {
	const { images = [], ...request } = given;
	if (images.length === 0 || canSeeImages) return { request: given, unseen: [] };
	const what = images.length === 1 ? "The image was" : `The ${images.length} images were`;
	return { request, unseen: [`${what} left out: this language model does not support images.`] };
}

function withWords(request: AgentRequest, heard: Heard | undefined): AgentRequest {
	const words = heard?.words() ?? [];
	heard?.given(words.length);
	const added = words.map((text) => `\n\nAdded while you were at work: ${text}`);
	return { ...request, question: request.question + added.join("") };
}

/** Whether every document that contributed information is among the hits. */
function isAll(found: SearchResult, recollections: readonly Recollection[]): boolean {
	return (
		formatListings(found).length === 0 &&
		recollections.length === 0 &&
		found.hits.every(({ via }) => via === undefined)
	);
}

interface Turn {
	readonly ports: AgentPorts;
	readonly found: SearchResult;
	readonly runs: ToolRuns;
	readonly shown: Citation[];
}

const NO_INSTRUCTIONS: Instructions = { texts: [], notices: [] };

/** If recalling memories fails, the turn continues without memories. */
async function recall(ports: AgentPorts, request: AgentRequest, signal: AbortSignal) {
	try {
		const found = (await ports.recall?.(request, signal)) ?? [];
		// This session is skipped: its turns are in the history, and its question is already stored.
		const isOther = ({ session }: Recollection) => session === undefined || session.id !== request.session;
		return { recollections: found.filter(isOther), notices: [] };
	} catch (thrown) {
		signal.throwIfAborted();
		return { recollections: [], notices: [`Nothing was recalled: ${messageOf(thrown)}`] };
	}
}

async function* askModel(
	{ ports: { model }, runs: { noteOf }, shown }: Turn,
	facts: PromptFacts,
	signal: AbortSignal,
): AsyncGenerator<AgentEvent, Reply> {
	const { messages, report, fitted } = await renderMessages(facts, { model, noteOf }, signal);
	yield { kind: "context", report };
	const texts = [fitted.listing ?? "", ...fitted.rounds.flatMap(({ outcomes }) => outcomes)];
	shown.push(...citationsOf(fitted.hits), ...texts.flatMap(citationsIn).map(({ citation }) => citation));
	const reply: Reply = { text: "", calls: [], notices: [], isCut: false };
	const events = collect(model.respond(messages, facts.tools, signal), reply, signal);
	yield* citeEvents(events, { before: shown, why: "the model was not shown those lines" });
	yield* reply.notices;
	const outputTokens = await model.countTokens(reply.text + callsText(reply.calls), signal);
	yield reply.usage ?? { kind: "usage", inputTokens: report.used, outputTokens, isEstimate: true };
	return reply;
}

/** Runs calls concurrently: our tools only read, and the host queues calls that the user must confirm. */
async function* runTools(
	runs: ToolRuns,
	calls: readonly ToolCall[],
	signal: AbortSignal,
): AsyncGenerator<AgentEvent, string[]> {
	for (const call of calls) yield { kind: "toolStarted", call };
	const outcomes = await Promise.all(calls.map((call) => runs.run(call, signal)));
	for (const outcome of outcomes) yield { kind: "toolFinished", ...outcome };
	return outcomes.map(({ text }) => text);
}

function citationsOf(hits: readonly Hit[]): Citation[] {
	const places = hits.flatMap((hit): Citation[] => [hit, ...(hit.others ?? [])]);
	return places.map(({ path, lines }) => ({ path, lines }));
}

export function createToolRuns(ports: ToolPorts, assets: Assets = createAssetShelf().of(undefined)) {
	const numbers = new Map<string, number>();
	const running = new Map<string, Promise<ToolOutcome>>();
	const readTool = ports.tools.find(({ name }) => READ_TOOL.test(name))?.name;
	const schemas = new Map(ports.tools.map(({ name, inputSchema }) => [name, inputSchema]));
	const refersToResults = ports.tools.some(({ inputSchema }) => mayTakeRefs(inputSchema));

	const runAnew = async (call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> => {
		try {
			const input = fillRefs(call.input, schemas.get(call.name) ?? {}, assets);
			const part = pointedTo(call, assets);
			const text = part ?? (await ports.runTool({ ...call, input }, signal));
			const called = part === undefined && { input: Object(call.input) };
			const number = assets.add({ name: call.name, ...called, text });
			numbers.set(call.id, number);
			const broken = breakLines(text);
			return { call, ok: true, text: refersToResults ? withAssetName(broken, number) : broken };
		} catch (thrown) {
			signal.throwIfAborted();
			return { call, ok: false, text: uncited(`The tool failed: ${messageOf(thrown)}`) };
		}
	};
	const repeat = async (call: ToolCall, earlier: Promise<ToolOutcome>, signal: AbortSignal) => {
		const { ok, call: first } = await earlier;
		if (!ok) return runAnew(call, signal);
		const number = numbers.get(first.id);
		const more = readTool ? ` If it was cut, call ${readTool} with target "${SCHEME}${number}".` : "";
		const text = `You already made this call in this turn: see its result above.${more}`;
		return { call, ok: true, text };
	};
	return {
		/** Does not reject if a tool fails, because the model reads the reason and may correct its call. */
		run: (call: ToolCall, signal: AbortSignal) => {
			const key = JSON.stringify([call.name, call.input]);
			const earlier = running.get(key);
			if (earlier !== undefined && ports.isSteady?.(call.name)) return repeat(call, earlier, signal);
			const outcome = runAnew(call, signal);
			running.set(key, outcome);
			return outcome;
		},
		noteOf: ({ id }: ToolCall): CutNote => {
			const number = numbers.get(id);
			if (!number || !readTool) return plainNote;
			return ({ shown, total }) =>
				`\n(cut: ${shown} of ${total} lines; for more call ${readTool} with target "${SCHEME}${number}:${shown + 1}-${Math.min(total, shown + POINTED_LINES)}")`;
		},
	};
}

function earlierResults({ tools, assets }: AgentPorts, session: string | undefined): Attachment[] {
	const readTool = tools.find(({ name }) => READ_TOOL.test(name))?.name;
	const results = session === undefined ? [] : (assets?.of(session).all() ?? []);
	const told = results.filter(({ about }) => about !== "").slice(-TOLD);
	if (readTool === undefined || told.length === 0) return [];
	const lines = told.map(({ number, name, about }) => `${SCHEME}${number}: ${name} with ${about}`);
	const name = `results of earlier turns, which ${readTool} reads again`;
	return [{ name, text: uncited(lines.join("\n")) }];
}

const NOT_SEARCHED: SearchResult = { hits: [], total: 0, truncated: false, notices: [] };

/** Limits the ports to an agent's tools, including the search before the agent's first call. */
function actingPorts(ports: AgentPorts, agent: ActingAgent | undefined): AgentPorts {
	if (!agent) return ports;
	const may = (name: string) => mayUse(agent.tools, name);
	const { recall, search, readInstructions, ...others } = ports;
	const tools = ports.tools.filter(({ name }) => may(name));
	return {
		...others,
		tools,
		// The host may have tools that were not offered, whose names the model may know.
		runTool: async (call, signal) => {
			if (tools.some(({ name }) => name === call.name)) return ports.runTool(call, signal);
			throw new Error(`there is no tool ${call.name} here. Go on without it.`);
		},
		search: may("search_knowledge") ? search : async () => NOT_SEARCHED,
		...(recall && may("recall_memory") && { recall }),
		readInstructions: async (files) => {
			const { texts, notices } = (await readInstructions?.(files)) ?? NO_INSTRUCTIONS;
			const persona = { name: `the file of the agent ${agent.name}`, text: agent.persona };
			return { texts: agent.persona.trim() === "" ? texts : [persona, ...texts], notices };
		},
	};
}
