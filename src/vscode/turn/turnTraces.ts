import * as vscode from "vscode";
import { createTurnTracer } from "../../agent/loop/turnTracer.ts";
import { Failure, messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { InnerSpan } from "../../base/traces/recorder.ts";
import type { Span, TurnTrace } from "../../core/session/trace.ts";
import { saveText } from "../folders.ts";
import { registerEach } from "../registerEach.ts";
import { secretsKnown } from "../secrets.ts";
import { setting } from "../settings.ts";

/** Traces of the last turns: shown in a log, exported to a file, and sent to the user's endpoint. */
export type TurnTraces = ReturnType<typeof registerTurnTraces>;

const KEPT_TURNS = 100;

export function registerTurnTraces(
	context: vscode.ExtensionContext,
	warnings: vscode.LogOutputChannel,
	onDidEndSpans: vscode.Event<readonly InnerSpan[]>,
) {
	const traces: TurnTrace[] = [];
	const telemetry = createTelemetryLink(context, warnings);
	let channel: vscode.LogOutputChannel | undefined;
	const log = (line: string) => {
		channel ??= vscode.window.createOutputChannel("Copilot-LD Trace", { log: true });
		channel.info(line);
	};
	const tracer = createTurnTracer({
		keepsTexts: () => setting("telemetry.otlp").contents,
		onEnd: (trace) => {
			traces.push(trace);
			if (traces.length > KEPT_TURNS) traces.shift();
			for (const line of traceLines(trace)) log(line);
			telemetry.ended(trace);
		},
	});
	const listening = onDidEndSpans(tracer.inner);
	const commands = registerEach({
		"copilot-ld.exportTraces": async (target: unknown) => {
			const none = vscode.l10n.t("There is no trace yet. Ask @copilot-ld a question first.");
			if (traces.length === 0) throw new Failure("NOT_FOUND", none);
			return saveText(`${await telemetry.toJson(traces)}\n`, "copilot-ld-traces.json", target);
		},
	});
	return {
		...tracer,
		last: (): readonly TurnTrace[] => traces,
		dispose: () => {
			vscode.Disposable.from(commands, listening, telemetry).dispose();
			channel?.dispose();
		},
	};
}

function createTelemetryLink(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
	const telemetry = once(async () =>
		(await import("../../telemetry/telemetry.ts")).createTelemetry({
			version: context.extension.packageJSON.version,
			endpoint: () => setting("telemetry.otlp").endpoint,
			contents: () => setting("telemetry.otlp").contents,
			known: () => secretsKnown(context),
			warn: (words) => log.warn(words),
		}),
	);
	const listening = vscode.workspace.onDidChangeConfiguration((change) => {
		if (change.affectsConfiguration("copilot-LD.telemetry"))
			void telemetry.peek()?.then((opened) => opened.settingsChanged());
	});
	return {
		ended: (trace: TurnTrace) => {
			if (setting("telemetry.otlp").endpoint === "") return;
			telemetry
				.get()
				.then(({ send }) => send(trace))
				.catch((thrown: unknown) => log.warn(`A trace was not sent: ${messageOf(thrown)}`));
		},
		toJson: async (traces: readonly TurnTrace[]) => (await telemetry.get()).toJson(traces),
		dispose: () => {
			listening.dispose();
			void telemetry.peek()?.then((opened) => opened.close());
		},
	};
}

/** Formats a trace as log lines, without the text of questions and answers. */
export function traceLines({ kind, title, durationMs, outcome, spans }: TurnTrace): string[] {
	const what = kind === "tool" ? `tool ${title}` : "turn";
	return [`${what}: ${outcome}, ${Math.round(durationMs)} ms`, ...spans.map(lineOf)];
}

function lineOf({ kind, title, startMs, durationMs, outcome, facts }: Span): string {
	const what = kind === "tool" || kind === "permission" ? `${kind} ${title}` : kind;
	const told = Object.entries(facts).map(([name, value]) => `, ${name} ${value}`);
	return `  +${Math.round(startMs)} ms ${what}: ${outcome}, ${Math.round(durationMs)} ms${told.join("")}`;
}
