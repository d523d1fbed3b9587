import { isObject, parseLine } from "../../base/jsonLines.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { DOORS, type Door, type RulesByDoor } from "../../core/permission/door.ts";
import type { Person } from "../../core/session/person.ts";
import type { Engine, JournalEntry, Outcome, PartOf } from "../../core/session/session.ts";

/** What a line may hold, as any version of ours or anybody else may have written it. */
type Fields = {
	readonly [Name in FieldName]?: unknown;
};
type FieldName =
	| "kind"
	| "at"
	| "engine"
	| "workspace"
	| "forkOf"
	| "partOf"
	| "person"
	| "turn"
	| "text"
	| "command"
	| "attachments"
	| "event"
	| "outcome"
	| "inputTokens"
	| "outputTokens"
	| "error"
	| "title"
	| "archived"
	| "rules";

const EVENT_KINDS: Readonly<Record<AgentEvent["kind"], true>> = {
	progress: true,
	notice: true,
	retrieved: true,
	text: true,
	citation: true,
	toolStarted: true,
	toolUpdated: true,
	toolFinished: true,
	diff: true,
	plan: true,
	thought: true,
	permission: true,
	usage: true,
	context: true,
	window: true,
	chain: true,
	stepStarted: true,
	stepFinished: true,
	ended: true,
};
const ENGINES: readonly unknown[] = ["model", "cli"] satisfies Engine[];
const OUTCOMES: readonly unknown[] = ["done", "roundLimit", "cancelled", "failed"] satisfies Outcome[];

const parsers: Readonly<Record<string, (fields: Fields, at: number) => JournalEntry | undefined>> = {
	session: (fields, at) => ({
		kind: "session",
		at,
		engine: engineOf(fields.engine),
		workspace: textOf(fields.workspace),
		...("person" in fields && { person: personOf(fields.person) }),
		...forkOf(fields.forkOf),
		...partOf(fields.partOf),
	}),
	question: (fields, at) => {
		if (!isTurn(fields.turn) || typeof fields.text !== "string") return undefined;
		const names = Array.isArray(fields.attachments) ? fields.attachments : [];
		return {
			kind: "question",
			at,
			turn: fields.turn,
			text: fields.text,
			...(typeof fields.command === "string" && { command: fields.command }),
			attachments: names.filter((name) => typeof name === "string"),
			...rulesOf(fields.rules),
		};
	},
	event: ({ turn, event }, at) =>
		isTurn(turn) && isEvent(event) ? { kind: "event", at, turn, event } : undefined,
	answer: (fields, at) => {
		if (!isTurn(fields.turn) || typeof fields.text !== "string") return undefined;
		return {
			kind: "answer",
			at,
			turn: fields.turn,
			text: fields.text,
			outcome: OUTCOMES.includes(fields.outcome) ? (fields.outcome as Outcome) : "done",
			...(typeof fields.inputTokens === "number" && { inputTokens: fields.inputTokens }),
			...(typeof fields.outputTokens === "number" && { outputTokens: fields.outputTokens }),
			...(typeof fields.error === "string" && { error: fields.error }),
			...rulesOf(fields.rules),
		};
	},
	instructions: ({ text }, at) => (typeof text === "string" ? { kind: "instructions", at, text } : undefined),
	titled: ({ title }, at) => (typeof title === "string" ? { kind: "titled", at, title } : undefined),
	archived: ({ archived }, at) => ({ kind: "archived", at, archived: archived === true }),
};

/** What a line of a journal says. Undefined for torn ones, and for kinds that this version does not know. */
export function parseEntry(line: string): JournalEntry | undefined {
	const fields = parseLine(line);
	if (!isObject<FieldName>(fields) || typeof fields.kind !== "string" || typeof fields.at !== "number")
		return undefined;
	return Object.hasOwn(parsers, fields.kind) ? parsers[fields.kind]?.(fields, fields.at) : undefined;
}

/** Nobody reads what belongs to this one: a person that cannot be read is not taken for none. */
const UNREADABLE: Person = { source: "", id: "", label: "" };

export function personOf(value: unknown): Person {
	if (!isObject<keyof Person>(value)) return UNREADABLE;
	const { source, id, label } = value;
	if (typeof source !== "string" || typeof id !== "string" || id === "") return UNREADABLE;
	return { source, id, label: textOf(label) };
}

function isTurn(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isEvent(value: unknown): value is AgentEvent {
	return isObject<"kind">(value) && typeof value.kind === "string" && Object.hasOwn(EVENT_KINDS, value.kind);
}

function engineOf(value: unknown): Engine {
	return ENGINES.includes(value) ? (value as Engine) : "model";
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

export function rulesOf(value: unknown): { readonly rules?: RulesByDoor } {
	if (!isObject<Door>(value)) return {};
	const isWhole = DOORS.every((door) => {
		const rules = value[door];
		return Array.isArray(rules) && rules.every((rule) => typeof rule === "string");
	});
	return isWhole ? { rules: value as RulesByDoor } : {};
}

function forkOf(value: unknown): Pick<Extract<JournalEntry, { kind: "session" }>, "forkOf"> {
	if (!isObject<"session" | "turns">(value) || typeof value.session !== "string" || !isTurn(value.turns))
		return {};
	return { forkOf: { session: value.session, turns: value.turns } };
}

function partOf(value: unknown): { readonly partOf?: PartOf } {
	if (!isObject<keyof PartOf>(value)) return {};
	const { session, step } = value;
	return typeof session === "string" && typeof step === "string" ? { partOf: { session, step } } : {};
}
