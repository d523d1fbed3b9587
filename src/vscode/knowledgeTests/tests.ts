import * as vscode from "vscode";
import { complete } from "../../agent/ports.ts";
import { Failure } from "../../base/failure.ts";
import { visibleLines } from "../../base/text/visibleText.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Knowledge, KnowledgeReader } from "../../core/knowledge/knowledge.ts";
import type { KnowledgeTest, TestFailure, TestOutcome } from "../../core/knowledge/knowledgeTest.ts";
import { judgeByModel } from "../../knowledgeTests/judgeByModel.ts";
import type { TestPorts } from "../../knowledgeTests/observe.ts";
import { runTest } from "../../knowledgeTests/runTests.ts";
import { readTestFile } from "../../knowledgeTests/testFile.ts";
import { signalOf } from "../cancellation.ts";
import { translated } from "../l10n.ts";
import { anyModel } from "../models/chooseModel.ts";
import { toModel } from "../models/languageModel.ts";

export interface TestDeps {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly runners: {
		/** Answers without a language model. */
		passages(): Promise<Runner>;
		/** Opens a runner for answers; rejects with a `Failure` if there is none. */
		openRunner(context: object): Promise<Runner>;
	};
	readonly log: vscode.LogOutputChannel;
}

export type Asker = "passages" | "model";

export type Tests = ReturnType<typeof createTests>;

interface RunDeps extends TestDeps {
	readonly controller: vscode.TestController;
	/** The test of an item; a file's item has none. */
	readonly testOf: (item: vscode.TestItem) => KnowledgeTest | undefined;
	readonly asker: Asker;
	readonly request: vscode.TestRunRequest;
}

/** Maximum bytes of a test file. */
const LARGEST = 1_000_000;

export function createTests(
	deps: TestDeps & { readonly controller: vscode.TestController; readonly glob: string },
) {
	const { read, testOf } = createTestTree(deps.controller, deps.glob);
	return {
		read,
		updateExpectedSources,
		run: (asker: Asker, request: vscode.TestRunRequest, token: vscode.CancellationToken) =>
			runAll({ ...deps, testOf, asker, request }, token),
	};
}

async function runAll(deps: RunDeps, token: vscode.CancellationToken): Promise<void> {
	const run = deps.controller.createTestRun(deps.request);
	try {
		const items = itemsOf(deps);
		for (const item of items) run.enqueued(item);
		const ports = await portsFor(deps);
		const signal = signalOf(token);
		for (const item of items) {
			const test = deps.testOf(item);
			if (token.isCancellationRequested || !test) run.skipped(item);
			else await runItem({ run, item, test, knowledge: deps.knowledge }, ports, signal);
		}
	} finally {
		run.end();
	}
}

async function portsFor({ knowledge, graph, runners, asker }: RunDeps): Promise<TestPorts> {
	const withModel = asker === "model";
	// Without a language model nothing is judged, and the tests say so.
	const chat = withModel ? await anyModel() : undefined;
	const model = chat && toModel(chat, vscode.l10n.t("To judge the criteria in the tests of this folder."));
	const judge =
		model && judgeByModel((prompt, signal) => complete(model, [{ role: "user", text: prompt }], signal));
	return {
		ask: await (withModel ? runners.openRunner({}) : runners.passages()),
		search: (query, signal) => knowledge.search({ ...query, door: "chat" }, signal),
		query: (query, signal) => graph.query({ ...query, door: "chat" }, signal),
		now: () => performance.now(),
		...(judge && { judge }),
	};
}

interface Running {
	readonly run: vscode.TestRun;
	readonly item: vscode.TestItem;
	readonly test: KnowledgeTest;
	readonly knowledge: KnowledgeReader;
}

async function runItem(running: Running, ports: TestPorts, signal: AbortSignal): Promise<void> {
	const { run, item, test } = running;
	run.started(item);
	try {
		await show(running, await runTest(test, ports, signal), signal);
	} catch (thrown) {
		run.skipped(item);
		throw thrown;
	}
}

async function show(running: Running, outcome: TestOutcome, signal: AbortSignal): Promise<void> {
	const { run, item, knowledge } = running;
	const { failures, unjudged, notices, measured, answer } = outcome;
	// The output is a terminal's.
	for (const text of [answer, ...notices])
		run.appendOutput(`${visibleLines(text).replaceAll("\n", "\r\n")}\r\n`, undefined, item);
	const messages = failures.map(async ({ message, line, moved }) => {
		const told = new vscode.TestMessage(translated(message));
		if (item.uri) told.location = new vscode.Location(item.uri, new vscode.Position(line - 1, 0));
		if (moved) await showMoved(told, moved, { knowledge, signal });
		return told;
	});
	if (unjudged !== undefined) run.skipped(item);
	else if (failures.length === 0) run.passed(item, measured.milliseconds);
	else run.failed(item, await Promise.all(messages), measured.milliseconds);
}

function itemsOf({ controller, request, testOf }: RunDeps): vscode.TestItem[] {
	const all = [...controller.items].map(([, item]) => item);
	const chosen = request.include ?? all;
	const left = new Set(request.exclude?.map(({ id }) => id));
	const isWanted = (item: vscode.TestItem) => testOf(item) !== undefined && !left.has(item.id);
	return [...new Set(chosen.flatMap(withChildren))].filter(isWanted);
}

function withChildren(item: vscode.TestItem): vscode.TestItem[] {
	return [item, ...[...item.children].flatMap(([, child]) => withChildren(child))];
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
		const { tests: read, mistakes } = await readFile(uri);
		item.children.replace(read.map(itemFor(uri)));
		if (mistakes.length > 0)
			item.error = mistakes
				.map(({ line, message }) => vscode.l10n.t("Line {0}: {1}", line, translated(message)))
				.join("\n");
		return item;
	};
	return {
		read: async () => {
			const uris = await vscode.workspace.findFiles(glob, null);
			controller.items.replace(await Promise.all(uris.map(fileItem)));
		},
		testOf: (item: vscode.TestItem) => tests.get(item),
	};
}

async function readFile(uri: vscode.Uri) {
	const { size } = await vscode.workspace.fs.stat(uri);
	const message = vscode.l10n.t("The file is larger than a megabyte.");
	if (size > LARGEST) return { tests: [], mistakes: [{ line: 1, message }] };
	return readTestFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
}

/** Marks messages about cited lines that may have moved, for the menu of the Test Explorer. */
const MOVED = "movedSources";

/** Shows the expected and the cited lines beside each other, and offers to expect the latter. */
async function showMoved(
	message: vscode.TestMessage,
	{ from, to }: NonNullable<TestFailure["moved"]>,
	{ knowledge, signal }: { readonly knowledge: KnowledgeReader; readonly signal: AbortSignal },
): Promise<void> {
	const textOf = async (target: string) => {
		const read = await knowledge.read({ target, door: "chat" }, signal).catch(() => undefined);
		return [target, ...(read?.parts.map(({ text }) => text) ?? [])].join("\n");
	};
	[message.expectedOutput, message.actualOutput] = await Promise.all([textOf(from), textOf(to)]);
	message.contextValue = MOVED;
}

/** Replaces the expected place in the file of tests by the one that was cited. */
async function updateExpectedSources({ message }: { readonly message: vscode.TestMessage }): Promise<void> {
	const [from = "", to = ""] = [message.expectedOutput, message.actualOutput].map(
		(text) => text?.split("\n")[0] ?? "",
	);
	const { location } = message;
	const document = location && (await vscode.workspace.openTextDocument(location.uri));
	const line = document?.lineAt(Math.min(location?.range.start.line ?? 0, document.lineCount - 1));
	const at = line?.text.indexOf(from) ?? -1;
	const changed = vscode.l10n.t(
		"The test has changed since it ran. Run it again, and update its sources then.",
	);
	if (!document || !line || from === "" || at < 0) throw new Failure("NOT_FOUND", changed);
	const edit = new vscode.WorkspaceEdit();
	const { line: row } = line.range.start;
	edit.replace(document.uri, new vscode.Range(row, at, row, at + from.length), to);
	await vscode.workspace.applyEdit(edit);
	await document.save();
}
