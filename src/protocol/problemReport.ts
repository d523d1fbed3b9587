import { createRedactor, isSecretName, type KnownSecrets, redactAll } from "../base/text/redact.ts";
import type { RecordEntry, Recorder } from "../base/traces/recorder.ts";
import type { IndexStatus, Knowledge } from "../core/knowledge/knowledge.ts";
import type { TurnTrace } from "../core/session/trace.ts";
import type { WorkerDiagnostics } from "./worker.ts";

/** Maximum time to wait for the worker, which may hang if the user reports a problem. */
const PATIENCE_MS = 5000;

export interface ReportedSetting {
	readonly name: string;
	readonly value: unknown;
	readonly isDefault: boolean;
	/** Values of an enumerated setting; empty for other settings. */
	readonly choices: readonly unknown[];
}

interface Known {
	readonly surroundings: Readonly<Record<string, unknown>>;
	readonly settings: readonly ReportedSetting[];
	readonly turns: readonly TurnTrace[];
}

export interface ReportParts extends Known {
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly worker: WorkerDiagnostics | string;
	readonly index: IndexStatus | string;
	readonly entries: readonly RecordEntry[];
	readonly dropped: number;
}

export interface ReportSources {
	readonly knowledge: Knowledge;
	readonly recorder: Recorder;
	/** Resolves to `undefined` if the worker does not run. */
	diagnose(signal: AbortSignal): Promise<WorkerDiagnostics | undefined>;
}

export async function gatherReport({ knowledge, recorder, diagnose }: ReportSources, known: Known) {
	const worker = await patiently((signal) => diagnose(signal));
	const isThere = typeof worker === "object";
	return {
		at: Date.now(),
		...known,
		worker: worker ?? "not running",
		index: isThere ? await patiently((signal) => knowledge.status(signal)) : "not asked for",
		entries: recorder.entries(),
		dropped: recorder.dropped(),
	};
}

async function patiently<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | string> {
	try {
		return await ask(AbortSignal.timeout(PATIENCE_MS));
	} catch {
		// The error's message may contain private text, so the report omits the message.
		return "no answer";
	}
}

export function reportText(report: object): string {
	return `${JSON.stringify(report, undefined, "\t")}\n`;
}

/** The report with numbers, times and our own words only: without file names, questions, answers or texts. */
export function metadataOf(parts: ReportParts): object {
	return reportOf(parts, {
		contents: false,
		settings: parts.settings.map(({ name, value, isDefault, choices }) => {
			const isPlain = typeof value === "number" || typeof value === "boolean" || choices.includes(value);
			const told = isDefault ? "(default)" : "(set)";
			return [name, isPlain ? value : told];
		}),
		index: (status) => ({ ...countsOf(status) }),
		turn: ({ traceId, kind, startedAt, durationMs, outcome, spans }) => ({
			traceId,
			kind,
			startedAt,
			durationMs,
			outcome,
			spans: spans.map(({ title: _, texts: _told, ...span }) => ({ ...span, facts: numbersIn(span.facts) })),
		}),
		entry: (entry) => ({ ...entry, text: undefined }),
	});
}

/** The report with contents. Redacts known secrets and texts that look like secrets. */
export function contentsOf(parts: ReportParts, known: KnownSecrets): object {
	const report = reportOf(parts, {
		contents: true,
		settings: parts.settings.map(({ name, value }) => [name, valuesOf(name, value)]),
		index: (status) => status,
		turn: (trace) => trace,
		entry: (entry) => entry,
	});
	return redactAll(report, createRedactor(known)) as object;
}

interface Selection {
	readonly contents: boolean;
	readonly settings: readonly (readonly [name: string, value: unknown])[];
	index(status: IndexStatus): object;
	turn(trace: TurnTrace): object;
	entry(entry: RecordEntry): object;
}

function reportOf(parts: ReportParts, { contents, settings, ...select }: Selection): object {
	const { at, surroundings, worker, index, turns, entries, dropped } = parts;
	return {
		version: 1,
		at: new Date(at).toISOString(),
		contents,
		surroundings,
		settings: Object.fromEntries(settings),
		worker: typeof worker === "string" ? worker : { ...worker, entries: worker.entries.map(select.entry) },
		index: typeof index === "string" ? index : select.index(index),
		turns: turns.map(select.turn),
		window: { entries: entries.map(select.entry), dropped },
	};
}

function countsOf({ state, engine, legs, skipped, failed, notices, ...status }: IndexStatus): object {
	const { documents, passages, resources, quads, described, bytesOnDisk } = status;
	const sizes = { documents, passages, resources, quads, described, bytesOnDisk };
	return {
		state,
		engine,
		legs,
		...sizes,
		skipped: Object.values(skipped).reduce((sum, count) => sum + count, 0),
		failed: failed.length,
		notices: notices.length,
	};
}

function numbersIn(facts: Readonly<Record<string, number | string>>): object {
	return Object.fromEntries(Object.entries(facts).filter(([, value]) => typeof value === "number"));
}

/** Reports only the names of a store's options, because any of them may be secret. */
function valuesOf(name: string, value: unknown): unknown {
	if (isSecretName(name)) return "(left out)";
	const isOptions = typeof value === "object" && value !== null && !Array.isArray(value);
	return isOptions ? Object.keys(value).map((key) => `${key}: (left out)`) : value;
}
