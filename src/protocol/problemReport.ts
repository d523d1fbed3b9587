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
	const { settings, worker, index, turns, entries } = parts;
	const withoutText = (entry: RecordEntry) => ({ ...entry, text: undefined });
	return reportOf(parts, {
		contents: false,
		settings: settings.map(({ name, value, isDefault, choices }) => {
			const isPlain = typeof value === "number" || typeof value === "boolean" || choices.includes(value);
			const told = isDefault ? "(default)" : "(set)";
			return [name, isPlain ? value : told];
		}),
		worker: typeof worker === "string" ? worker : { ...worker, entries: worker.entries.map(withoutText) },
		index: typeof index === "string" ? index : countsOf(index),
		turns: turns.map(({ traceId, kind, startedAt, durationMs, outcome, spans }) => {
			const plain = spans.map(({ title: _, texts: _told, ...span }) => ({
				...span,
				facts: numbersIn(span.facts),
			}));
			return { traceId, kind, startedAt, durationMs, outcome, spans: plain };
		}),
		entries: entries.map(withoutText),
	});
}

/** The report with contents. Redacts known secrets and texts that look like secrets. */
export function contentsOf(parts: ReportParts, known: KnownSecrets): object {
	const settings = parts.settings.map(({ name, value }) => [name, valuesOf(name, value)] as const);
	const report = reportOf(parts, { ...parts, contents: true, settings });
	return redactAll(report, createRedactor(known)) as object;
}

interface Selection {
	readonly contents: boolean;
	readonly settings: readonly (readonly [name: string, value: unknown])[];
	readonly worker: object | string;
	readonly index: object | string;
	readonly turns: readonly object[];
	readonly entries: readonly object[];
}

function reportOf({ at, surroundings, dropped }: ReportParts, selection: Selection): object {
	const { contents, settings, worker, index, turns, entries } = selection;
	return {
		version: 1,
		at: new Date(at).toISOString(),
		contents,
		surroundings,
		settings: Object.fromEntries(settings),
		worker,
		index,
		turns,
		window: { entries, dropped },
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
