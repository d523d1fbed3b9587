import * as vscode from "vscode";
import { l10n } from "vscode";
import { complete } from "../../agent/ports.ts";
import { Failure } from "../../base/failure.ts";
import { visibleLines } from "../../base/text/visibleText.ts";
import { citationsIn, formatCitation } from "../../core/knowledge/citation.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { KnowledgeTest, TestFailure } from "../../core/knowledge/knowledgeTest.ts";
import type { Sessions } from "../../core/session/session.ts";
import { importScenarios } from "../../knowledgeTests/importScenarios.ts";
import type { TestPorts } from "../../knowledgeTests/observe.ts";
import { judgeByModel, runTest } from "../../knowledgeTests/runTests.ts";
import { addTests, readTestFile, TESTS_PATH } from "../../knowledgeTests/testFile.ts";
import { signalOf } from "../cancellation.ts";
import type { Runners } from "../chat/runners.ts";
import { editFile } from "../folders.ts";
import { amounts, translated } from "../l10n.ts";
import { toModel } from "../models/languageModel.ts";
import { anyModel } from "../models/passagesModel.ts";
import { answered, findInTurn } from "../turn/turnOf.ts";
import type { EditorServices } from "../worker/readiness.ts";

export interface TestDeps extends EditorServices {
	readonly graph: KnowledgeGraph;
	readonly runners: Runners;
}

export type Asker = "passages" | "model";

export type Tests = ReturnType<typeof createTests>;

const LARGEST_BYTES = 1_000_000;

export function createTests(deps: TestDeps, controller: vscode.TestController, glob: string) {
	const { read, tests } = createTestTree(controller, glob);
	return {
		read,
		updateExpectedSources,
		run: async (asker: Asker, request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
			const run = controller.createTestRun(request);
			try {
				const items = itemsOf(controller, request).filter((item) => tests.has(item));
				for (const item of items) run.enqueued(item);
				const ports = await portsFor(deps, asker);
				const signal = signalOf(token);
				for (const item of items) {
					const test = tests.get(item);
					if (!test || token.isCancellationRequested) run.skipped(item);
					else await runItem({ run, item, test, ports, knowledge: deps.knowledge }, signal);
				}
			} finally {
				run.end();
			}
		},
	};
}

async function portsFor({ knowledge, graph, runners }: TestDeps, asker: Asker): Promise<TestPorts> {
	const withModel = asker === "model";
	// Without a language model, criteria are not judged, and the tests say so.
	const chat = withModel ? await anyModel() : undefined;
	const model = chat && toModel(chat, l10n.t("To judge the criteria in the tests of this folder."));
	const judge =
		model && judgeByModel((prompt, signal) => complete(model, [{ role: "user", text: prompt }], signal));
	return {
		ask: await (withModel ? runners.openRunner({}) : runners.passages()),
		search: (query, signal) => knowledge.search({ ...query, channel: "chat" }, signal),
		query: (query, signal) => graph.query({ ...query, channel: "chat" }, signal),
		now: () => performance.now(),
		...(judge && { judge }),
	};
}

interface Running {
	readonly run: vscode.TestRun;
	readonly item: vscode.TestItem;
	readonly test: KnowledgeTest;
	readonly ports: TestPorts;
	readonly knowledge: Knowledge;
}

async function runItem({ run, item, test, ports, knowledge }: Running, signal: AbortSignal): Promise<void> {
	run.started(item);
	try {
		const { failures, unjudged, notices, measured, answer } = await runTest(test, ports, signal);
		// The output is shown in a terminal, which needs both characters of a line break.
		for (const text of [answer, ...notices])
			run.appendOutput(`${visibleLines(text).replaceAll("\n", "\r\n")}\r\n`, undefined, item);
		const messages = failures.map((failure) => messageOf(failure, item, knowledge, signal));
		if (unjudged !== undefined) run.skipped(item);
		else if (failures.length === 0) run.passed(item, measured.milliseconds);
		else run.failed(item, await Promise.all(messages), measured.milliseconds);
	} catch (thrown) {
		run.skipped(item);
		throw thrown;
	}
}

function itemsOf(controller: vscode.TestController, request: vscode.TestRunRequest): vscode.TestItem[] {
	const chosen = request.include ?? Array.from(controller.items, ([, item]) => item);
	const left = new Set(request.exclude?.map(({ id }) => id));
	const all = chosen.flatMap((item) => [item, ...Array.from(item.children, ([, test]) => test)]);
	return [...new Set(all)].filter(({ id }) => !left.has(id));
}

function createTestTree(controller: vscode.TestController, glob: string) {
	const tests = new WeakMap<vscode.TestItem, KnowledgeTest>();
	const itemFor = (uri: vscode.Uri) => (test: KnowledgeTest) => {
		const item = controller.createTestItem(`${uri}#${test.name}`, test.name, uri);
		item.range = new vscode.Range(test.line - 1, 0, test.line - 1, 0);
		tests.set(item, test);
		return item;
	};
	const fileItem = async (uri: vscode.Uri) => {
		const item = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
		const { tests: found, mistakes } = await readFile(uri);
		item.children.replace(found.map(itemFor(uri)));
		if (mistakes.length > 0)
			item.error = mistakes
				.map(({ line, message }) => l10n.t("Line {0}: {1}", line, translated(message)))
				.join("\n");
		return item;
	};
	const read = async () => {
		const uris = await vscode.workspace.findFiles(glob, null);
		controller.items.replace(await Promise.all(uris.map(fileItem)));
	};
	return { read, tests };
}

async function readFile(uri: vscode.Uri) {
	const { size } = await vscode.workspace.fs.stat(uri);
	const message = l10n.t("The file is larger than a megabyte.");
	if (size > LARGEST_BYTES) return { tests: [], mistakes: [{ line: 1, message }] };
	return readTestFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
}

/** Context value of messages about moved lines, for the menu of the Test Explorer. */
const MOVED = "movedSources";

/** Shows a failure. If the expected lines have moved, shows both places and offers an update. */
async function messageOf(
	{ message, line, moved }: TestFailure,
	{ uri }: vscode.TestItem,
	{ read }: Knowledge,
	signal: AbortSignal,
) {
	const told = new vscode.TestMessage(translated(message));
	if (uri) told.location = new vscode.Location(uri, new vscode.Position(line - 1, 0));
	if (!moved) return told;
	const textOf = async (target: string) => {
		const found = await read({ target, channel: "chat" }, signal).catch(() => undefined);
		return [target, ...(found?.parts.map(({ text }) => text) ?? [])].join("\n");
	};
	[told.expectedOutput, told.actualOutput] = await Promise.all([textOf(moved.from), textOf(moved.to)]);
	told.contextValue = MOVED;
	return told;
}

async function updateExpectedSources({ message }: { readonly message: vscode.TestMessage }): Promise<void> {
	const { location, expectedOutput = "", actualOutput = "" } = message;
	const [[from = ""], [to = ""]] = [expectedOutput.split("\n"), actualOutput.split("\n")];
	const document = location && (await vscode.workspace.openTextDocument(location.uri));
	const line = document?.lineAt(Math.min(location?.range.start.line ?? 0, document.lineCount - 1));
	const at = line?.text.indexOf(from) ?? -1;
	const changed = l10n.t("The test has changed since it ran. Run it again, and update its sources then.");
	if (!document || !line || from === "" || at < 0) throw new Failure("NOT_FOUND", changed);
	const edit = new vscode.WorkspaceEdit();
	const { line: row } = line.range.start;
	edit.replace(document.uri, new vscode.Range(row, at, row, at + from.length), to);
	await vscode.workspace.applyEdit(edit);
	await document.save();
}

export async function saveAsTest(sessions: Sessions, turn: readonly unknown[]): Promise<void> {
	const { question, answer } = await findInTurn(sessions, turn, answered);
	const citations = citationsIn(answer);
	if (citations.length === 0)
		throw new Failure("BAD_INPUT", vscode.l10n.t("The answer cites nothing that a test could check."));
	const cites = [...new Set(citations.map(({ citation }) => formatCitation(citation).slice(1, -1)))];
	await add([{ ask: question, cites }]);
}

/** Adds the scenarios of a file in the format of Copilot-LD's evaluation. */
export async function importTests(): Promise<void> {
	const title = vscode.l10n.t("Import Knowledge Tests");
	const openLabel = vscode.l10n.t("Import");
	const filters = { "Evaluation scenarios": ["yml", "yaml"] };
	const [file] = (await vscode.window.showOpenDialog({ title, openLabel, filters })) ?? [];
	if (!file) return;
	const bytes = await vscode.workspace.fs.readFile(file);
	const { tests, mistakes } = importScenarios(new TextDecoder().decode(bytes));
	const [mistake] = mistakes;
	const left = mistake ? [vscode.l10n.t("Line {0}: {1}", mistake.line, translated(mistake.message))] : [];
	const nothing = [vscode.l10n.t("Nothing in the file could be imported."), ...left].join(" ");
	if (tests.length === 0) throw new Failure("BAD_INPUT", nothing);
	await add(tests);
	if (!mistake) return;
	const counts = [amounts.tests(tests.length), mistakes.length] as const;
	const imported = vscode.l10n.t("Copilot-LD: {0} imported, {1} skipped.", ...counts);
	void vscode.window.showWarningMessage([imported, ...left].join(" "));
}

async function add(tests: Parameters<typeof addTests>[1]): Promise<void> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	if (!folder) throw new Failure("NO_FOLDER", vscode.l10n.t("Open a folder first: tests are stored in it."));
	const file = vscode.Uri.joinPath(folder.uri, TESTS_PATH);
	const document = await editFile(file, (text) => addTests(text, tests));
	const last = new vscode.Position(document.lineCount - 1, 0);
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(last, last) });
}
