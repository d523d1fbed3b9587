import * as vscode from "vscode";
import { hookedStep, hookedTurn } from "../agent/loop/hookedTurn.ts";
import { traced, withCalls } from "../agent/loop/tracedTurn.ts";
import { createConsents } from "../permissions/consents.ts";
import type { CliLink } from "../vscode/cli/cliLink.ts";
import { createCliLink } from "../vscode/cli/link.ts";
import type { Logs } from "../vscode/logs.ts";
import { createPermissionPick } from "../vscode/permissions/permissionPick.ts";
import { registerQuestions } from "../vscode/permissions/questions.ts";
import type { VirtualDocuments } from "../vscode/virtualDocuments.ts";
import { type CliSurroundings, openToolsForCli } from "./cliTools.ts";
import type { HookedPlaces, ToolPlaces } from "./toolPlaces.ts";

/** The Copilot CLI, our tools for it, and the questions that the person is asked. */
export function linkCli(
	{
		context,
		logs,
		permissions,
		documents,
		...turns
	}: Omit<CliSurroundings, "log" | "consents" | "questions" | "askPerson"> & {
		readonly logs: Logs;
		readonly documents: VirtualDocuments;
	},
	places: ToolPlaces & HookedPlaces,
) {
	const { turnHooks } = places;
	const consents = createConsents();
	const questions = registerQuestions();
	const askPerson = createPermissionPick(questions, documents);
	const asking = { context, permissions, consents, questions, askPerson, documents, ...turns };
	const tools = openToolsForCli({ ...asking, ...logs.of("mcp") }, places);
	const link = createCliLink({ ...asking, ...logs.of("cli"), turnHooks, mcpAccess: tools.access });
	const inTrace = (run: ReturnType<CliLink["runnerFor"]>) =>
		traced("cli", (recorder) => withCalls(run, recorder), turns.traces);
	const runnerFor = (chat: string) => hookedTurn(turnHooks, () => inTrace(link.runnerFor(chat)));
	const runStep: CliLink["steps"]["runnerFor"] = (step) =>
		hookedStep(turnHooks, step.chain, inTrace(link.steps.runnerFor(step)));
	const steps = { ...link.steps, runnerFor: runStep };
	const cli: CliLink = { ...link, runnerFor, steps, dispose: () => link.dispose() };
	return { cli, askPerson, dispose: () => vscode.Disposable.from(questions, cli, tools).dispose() };
}
