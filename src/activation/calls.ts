import type * as vscode from "vscode";
import { createConsents } from "../permissions/consents.ts";
import { registerEvidence } from "../vscode/evidence/link.ts";
import { createFirstUses } from "../vscode/firstUses.ts";
import { createLogs } from "../vscode/logs.ts";
import { createPermissionsLink } from "../vscode/permissions/link.ts";
import { createPermissionPick } from "../vscode/permissions/permissionPick.ts";
import { registerQuestions } from "../vscode/permissions/questions.ts";
import { registerPlugins } from "../vscode/plugins/link.ts";
import { registerVirtualDocuments } from "../vscode/registerEach.ts";
import { createTelemetryLink } from "../vscode/telemetry/link.ts";
import { createChatOrigins, createToolGate } from "../vscode/tools/toolGate.ts";
import { createSessionInstructions } from "../vscode/turn/sessionInstructions.ts";
import { createLiveTurns } from "../vscode/turn/turnRecord.ts";
import { registerTurnTraces } from "../vscode/turn/turnTraces.ts";
import { createWorkerLink } from "../vscode/worker/link.ts";
import { createFolderReadiness, createIndexWatch, whenReady } from "../vscode/worker/readiness.ts";

/**
 * The index of the window, kept by the worker, with questions to it that wait until it is in step; and the parts that turns
 * and tool calls pass through: rules, questions to the user, traces, and the calling chat.
 */
export function createCalls(context: vscode.ExtensionContext) {
	const logs = createLogs(context.logUri);
	const { log, recorder } = logs.of("host");
	const worker = createWorkerLink(context, logs.of("worker"));
	const watch = createIndexWatch(worker);
	const readiness = createFolderReadiness(worker.knowledge, watch);
	const { knowledge, graph } = whenReady(worker, readiness);
	const { sessions, memory } = worker;
	const documents = registerVirtualDocuments();
	const evidence = registerEvidence({ ...worker, documents, log });
	const stale = worker.onDidGoStale(readiness.forget);
	context.subscriptions.push(logs, worker, watch, documents, evidence, stale);
	const permissions = createPermissionsLink(context, log);
	const traces = registerTurnTraces(createTelemetryLink(context, log), worker.onDidEndSpans);
	const questions = registerQuestions();
	const askPerson = createPermissionPick(questions, documents);
	const consents = createConsents();
	const origins = createChatOrigins();
	const live = createLiveTurns();
	const instructions = createSessionInstructions(sessions);
	const gate = createToolGate(permissions, traces, origins);
	const uses = createFirstUses(context.globalState, watch);
	const plugins = registerPlugins(worker, { documents, log, permissions });
	context.subscriptions.push(permissions, traces, questions, uses, plugins);
	const index = { worker, watch, readiness, knowledge, graph, sessions, memory, documents };
	const shown = { evidence, traces, uses, plugins };
	const asking = { permissions, questions, askPerson, consents, origins, live, instructions, gate };
	return { context, logs, log, recorder, ...index, ...shown, ...asking };
}

export type Calls = ReturnType<typeof createCalls>;
