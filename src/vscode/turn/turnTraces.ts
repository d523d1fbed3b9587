import { performance } from "node:perf_hooks";
import * as vscode from "vscode";
import type { TurnObserver } from "../../agent/loop/tracedTurn.ts";
import { type CallDecision, createTurnRecorder, type TurnRecorder } from "../../agent/loop/turnRecorder.ts";
import { Failure, messageOf } from "../../base/failure.ts";
import type { Span, TurnTrace } from "../../core/session/trace.ts";

/** Where the time of the last turns went: in a log, and as a file. */
export interface TurnTraces extends TurnObserver, vscode.Disposable {
	/** Learns of a decision on a call of ours, which took so many milliseconds. */
	decided(decision: CallDecision, durationMs: number): void;
	/** The last ones, oldest first. */
	last(): readonly TurnTrace[];
}

/** So many turns can be exported. */
const KEPT_TURNS = 100;

export function registerTurnTraces(): TurnTraces {
	const traces: TurnTrace[] = [];
	const running = new Set<TurnRecorder>();
	let channel: vscode.LogOutputChannel | undefined;
	const log = (line: string) => {
		channel ??= vscode.window.createOutputChannel("Copilot-LD Trace", { log: true });
		channel.info(line);
	};
	const commands: Record<string, (target: unknown) => Promise<unknown>> = {
		"copilot-ld.exportTraces": (target) =>
			exportTraces(traces, target).catch((thrown) => void vscode.window.showErrorMessage(messageOf(thrown))),
	};
	const registrations = Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run));
	return {
		begin: (question) => {
			const recorder = createTurnRecorder(question, { elapsed: () => performance.now(), now: Date.now });
			running.add(recorder);
			return recorder;
		},
		ended: (recorder, trace) => {
			running.delete(recorder);
			traces.push(trace);
			if (traces.length > KEPT_TURNS) traces.shift();
			for (const line of traceLines(trace)) log(line);
		},
		decided: (decision, durationMs) => {
			const turn = [...running].find((recorder) => recorder.isAt("tool", `copilot-ld_${decision.tool}`));
			turn?.decided(decision, durationMs);
		},
		last: () => traces,
		dispose: () => vscode.Disposable.from(...registrations, { dispose: () => channel?.dispose() }).dispose(),
	};
}

/** Writes the traces as JSON to where the person wants them; resolves with the place. */
async function exportTraces(turns: readonly TurnTrace[], target: unknown): Promise<vscode.Uri | undefined> {
	if (turns.length === 0)
		throw new Failure("NOT_FOUND", "There is no trace yet. Ask @copilot-ld something first.");
	const uri = target instanceof vscode.Uri ? target : await askForFile();
	if (!uri) return undefined;
	const text = JSON.stringify({ version: 1, turns }, undefined, "\t");
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${text}\n`));
	return uri;
}

function askForFile(): Thenable<vscode.Uri | undefined> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = "copilot-ld-traces.json";
	return vscode.window.showSaveDialog({
		filters: { JSON: ["json"] },
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
	});
}

/** A trace for people, without the words of questions and answers. */
export function traceLines({ durationMs, outcome, spans }: TurnTrace): string[] {
	return [`turn: ${outcome}, ${Math.round(durationMs)} ms`, ...spans.map(lineOf)];
}

function lineOf({ kind, title, startMs, durationMs, outcome, facts }: Span): string {
	const what = kind === "tool" || kind === "permission" ? `${kind} ${title}` : kind;
	const told = Object.entries(facts).map(([name, value]) => `, ${name} ${value}`);
	return `  +${Math.round(startMs)} ms ${what}: ${outcome}, ${Math.round(durationMs)} ms${told.join("")}`;
}
