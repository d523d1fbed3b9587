import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { TurnTrace } from "../../core/session/trace.ts";
import { secretsKnown } from "../secrets.ts";
import { tracing } from "../settings.ts";

/** Exports traces. Its code is loaded only on demand. */
export type TelemetryLink = ReturnType<typeof createTelemetryLink>;

export function createTelemetryLink(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
	const telemetry = once(async () =>
		(await import("../../telemetry/telemetry.ts")).createTelemetry({
			version: context.extension.packageJSON.version,
			endpoint: () => tracing().endpoint,
			contents: () => tracing().contents,
			known: () => secretsKnown(context),
			warn: (words) => log.warn(words),
		}),
	);
	const listening = vscode.workspace.onDidChangeConfiguration((change) => {
		if (change.affectsConfiguration("copilot-LD.telemetry"))
			void telemetry.peek()?.then((opened) => opened.settingsChanged());
	});
	const send = async (trace: TurnTrace) => (await telemetry.get()).send(trace);
	return {
		/** Sends a trace to the endpoint in the settings, if one is set. */
		ended: (trace: TurnTrace) => {
			if (tracing().endpoint === "") return;
			send(trace).catch((thrown: unknown) => log.warn(`A trace was not sent: ${messageOf(thrown)}`));
		},
		toJson: async (traces: readonly TurnTrace[]) => (await telemetry.get()).toJson(traces),
		dispose: () => {
			listening.dispose();
			void telemetry.peek()?.then((opened) => opened.close());
		},
	};
}
