import { homedir, release, totalmem } from "node:os";
import * as vscode from "vscode";
import { createRedactor, isSecretName, type KnownSecrets, redactAll } from "../../base/text/redact.ts";
import type { RecordEntry, Recorder } from "../../base/traces/recorder.ts";
import type { IndexStatus, Knowledge } from "../../core/knowledge/knowledge.ts";
import type { TurnTrace } from "../../core/session/trace.ts";
import type { WorkerDiagnostics } from "../../protocol/worker.ts";
import { secretsKnown } from "../knownSecrets.ts";
import type { TurnTraces } from "../turn/turnTraces.ts";
import type { WorkerLink } from "../worker/link.ts";

export interface ReportDeps {
	readonly context: vscode.ExtensionContext;
	readonly knowledge: Knowledge;
	readonly recorder: Recorder;
	readonly diagnose: WorkerLink["diagnose"];
	readonly traces: TurnTraces;
}

const TITLE = vscode.l10n.t("Report a Problem");

/** A worker that does not answer is part of the problem: the report does not wait longer for it. */
const PATIENCE_MS = 5000;

interface ReportedSetting {
	readonly name: string;
	readonly value: unknown;
	readonly isDefault: boolean;
	/** The values that there are, if they are few. */
	readonly choices: readonly unknown[];
}

export interface ReportParts {
	/** Milliseconds since 1970. */
	readonly at: number;
	/** Numbers and words of programs: versions, the platform, what is trusted. */
	readonly surroundings: Readonly<Record<string, unknown>>;
	readonly settings: readonly ReportedSetting[];
	readonly worker: WorkerDiagnostics | string;
	readonly index: IndexStatus | string;
	readonly turns: readonly TurnTrace[];
	readonly entries: readonly RecordEntry[];
	readonly dropped: number;
}

/** Saves a report if the user wants it; resolves to its location. With a target, saves metadata only and asks nothing. */
export async function runReportCommand(deps: ReportDeps, target: unknown): Promise<vscode.Uri | undefined> {
	if (target instanceof vscode.Uri) return save(target, textOf(metadataOf(await gather(deps))));
	const choice = await vscode.window.showQuickPick(CHOICES, { title: TITLE });
	if (!choice) return undefined;
	const parts = await gather(deps);
	const text = choice.isWhole
		? await confirmed(textOf(contentsOf(parts, await secretsKnown(deps.context))))
		: textOf(metadataOf(parts));
	const uri = text === undefined ? undefined : await askForFile(parts.at);
	if (uri === undefined || text === undefined) return undefined;
	await save(uri, text);
	void vscode.window.showInformationMessage(
		vscode.l10n.t("Copilot-LD: the report was saved. Nothing was sent: attach it to an issue yourself."),
	);
	return uri;
}

const CHOICES = [
	{
		label: vscode.l10n.t("Metadata only"),
		detail: vscode.l10n.t(
			"Versions, settings, counts, and what ran when and for how long. No file names, and nothing that you wrote.",
		),
		isWhole: false,
	},
	{
		label: vscode.l10n.t("With contents, after a preview"),
		detail: vscode.l10n.t(
			"Also log messages, questions, and file names. What looks like a secret is removed; you see all of it first.",
		),
		isWhole: true,
	},
];

/** The text as the user has reviewed it and perhaps shortened it; `undefined` if they cancel. */
async function confirmed(text: string): Promise<string | undefined> {
	const document = await vscode.workspace.openTextDocument({ language: "json", content: text });
	await vscode.window.showTextDocument(document);
	const saveIt = vscode.l10n.t("Save Report…");
	const answer = await vscode.window.showInformationMessage(
		vscode.l10n.t(
			"Copilot-LD: read this report before you save it. Secrets that look like ordinary words cannot be recognized; delete what nobody else should read.",
		),
		saveIt,
	);
	return answer === saveIt ? document.getText() : undefined;
}

async function gather({ context, knowledge, recorder, diagnose, traces }: ReportDeps): Promise<ReportParts> {
	const worker = await patiently((signal) => diagnose(signal));
	const isThere = typeof worker === "object";
	return {
		at: Date.now(),
		surroundings: surroundings(context),
		settings: settingsOf(context),
		worker: worker ?? "not running",
		index: isThere ? await patiently((signal) => knowledge.status(signal)) : "not asked for",
		turns: traces.last(),
		entries: recorder.entries(),
		dropped: recorder.dropped(),
	};
}

async function patiently<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | string> {
	try {
		return await ask(AbortSignal.timeout(PATIENCE_MS));
	} catch {
		// What was thrown may hold anything; the recorder knows what it was.
		return "no answer";
	}
}

function surroundings({ extension }: vscode.ExtensionContext): Readonly<Record<string, unknown>> {
	const { version, appHost, remoteName, uiKind } = { ...vscode.env, version: vscode.version };
	const { platform, arch, versions } = process;
	return {
		versions: {
			extension: extension.packageJSON.version,
			vscode: version,
			node: versions.node,
			electron: versions["electron"],
		},
		platform: { platform, arch, release: release(), memoryGb: Math.round(totalmem() / 1e9) },
		window: {
			appHost,
			isRemote: remoteName !== undefined,
			isWeb: uiKind === vscode.UIKind.Web,
			isTrusted: vscode.workspace.isTrusted,
			folders: vscode.workspace.workspaceFolders?.length ?? 0,
		},
	};
}

interface Declaration {
	readonly enum?: readonly unknown[];
	readonly properties?: Readonly<Record<string, Declaration>>;
}

/** As they are in force for this window; after an object setting, each of its members. */
function settingsOf({ extension }: vscode.ExtensionContext): ReportedSetting[] {
	const declared: readonly Declaration[] = extension.packageJSON.contributes.configuration;
	const configuration = vscode.workspace.getConfiguration();
	const report = (name: string, { enum: choices = [], properties = {} }: Declaration): ReportedSetting[] => {
		const value = configuration.get<unknown>(name);
		const isDefault = JSON.stringify(value) === JSON.stringify(configuration.inspect(name)?.defaultValue);
		const members = Object.entries(properties).flatMap(([member, one]) => report(`${name}.${member}`, one));
		return [{ name, value, isDefault, choices }, ...members];
	};
	return declared.flatMap(({ properties = {} }) =>
		Object.entries(properties).flatMap(([name, one]) => report(name, one)),
	);
}

function textOf(report: object): string {
	return `${JSON.stringify(report, undefined, "\t")}\n`;
}

async function save(uri: vscode.Uri, text: string): Promise<vscode.Uri> {
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	return uri;
}

function askForFile(at: number): Thenable<vscode.Uri | undefined> {
	const day = new Date(at).toISOString().slice(0, 19).replaceAll(":", "-");
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	return vscode.window.showSaveDialog({
		filters: { JSON: ["json"] },
		defaultUri: vscode.Uri.joinPath(folder, `copilot-ld-report-${day}.json`),
	});
}

/** Numbers, times and words of ours: no name of a file, no word of a question, an answer or a setting. */
export function metadataOf(parts: ReportParts): object {
	return reportOf(parts, {
		contents: false,
		settings: parts.settings.map(({ name, value, isDefault, choices }) => {
			const isPlain = typeof value === "number" || typeof value === "boolean" || choices.includes(value);
			if (isPlain) return [name, value];
			return [name, isDefault ? "(default)" : "(set)"];
		}),
		index: (status) => ({ ...countsOf(status) }),
		turn: ({ traceId, kind, startedAt, durationMs, outcome, spans }) => ({
			traceId,
			kind,
			startedAt,
			durationMs,
			outcome,
			spans: spans.map((span) => ({
				...span,
				title: undefined,
				texts: undefined,
				facts: numbersIn(span.facts),
			})),
		}),
		entry: (entry) => ({ ...entry, text: undefined }),
	});
}

/** With what was said, too, as far as it is not known or seen to be secret. */
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
	return {
		state,
		engine,
		legs,
		documents,
		passages,
		resources,
		quads,
		described,
		bytesOnDisk,
		skipped: Object.values(skipped).reduce((sum, count) => sum + count, 0),
		failed: failed.length,
		notices: notices.length,
	};
}

function numbersIn(facts: Readonly<Record<string, number | string>>): object {
	return Object.fromEntries(Object.entries(facts).filter(([, value]) => typeof value === "number"));
}

/** Options of a store may have secrets under any name, so only their names are reported. */
function valuesOf(name: string, value: unknown): unknown {
	if (isSecretName(name)) return "(left out)";
	const isOptions = typeof value === "object" && value !== null && !Array.isArray(value);
	return isOptions ? Object.keys(value).map((key) => `${key}: (left out)`) : value;
}
