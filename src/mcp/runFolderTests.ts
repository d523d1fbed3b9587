import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { complete } from "../agent/ports.ts";
import { Failure } from "../base/failure.ts";
import { undefinedIfMissing } from "../base/files/file.ts";
import { visibleText } from "../base/text/visibleText.ts";
import type { SearchQuery } from "../core/knowledge/knowledge.ts";
import type { TestFailure, TestOutcome } from "../core/knowledge/knowledgeTest.ts";
import { toJUnit } from "../knowledgeTests/junit.ts";
import type { TestPorts } from "../knowledgeTests/observe.ts";
import { judgeByModel, runTest } from "../knowledgeTests/runTests.ts";
import { readTestFile, TESTS_PATH } from "../knowledgeTests/testFile.ts";
import { createPassages } from "../passages/passages.ts";
import { type McpRun, tell } from "./arguments/mcpRun.ts";
import { openServerModel } from "./client/serverModel.ts";
import { runJob } from "./jobs.ts";
import type { KnowledgeService } from "./service/knowledgeService.ts";

const INDENT = "    ";

/** Maximum hits for an answer, as in the chat. */
const HITS = 8;

/** Runs the folders' tests and prints the outcomes. Resolves with the exit code: 0 if all pass. */
export function runFolderTests(run: McpRun): Promise<number> {
	const { junit } = run.args;
	const ending = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.once(signal, () => ending.abort(new Failure("BUSY", "The run was stopped.")));
	return runJob(run, "running tests", async (service) => {
		const ports = { ...portsOf(service), ...(await judgingOf(run, ending.signal)) };
		const outcomes = await runAll(run, service, ports, ending.signal);
		if (junit !== undefined) await writeFile(junit, toJUnit(TESTS_PATH, outcomes.done, outcomes.mistakes));
		return print(outcomes);
	});
}

interface Outcomes {
	readonly done: readonly TestOutcome[];
	readonly mistakes: readonly TestFailure[];
}

async function runAll({ paths }: McpRun, service: KnowledgeService, ports: TestPorts, signal: AbortSignal) {
	const texts = paths.map((path) => readFile(join(path, TESTS_PATH), "utf8").catch(undefinedIfMissing));
	const files = (await Promise.all(texts)).map((text = "") => readTestFile(text));
	const tests = files.flatMap((file) => file.tests);
	const mistakes = files.flatMap((file) => file.mistakes);
	if (tests.length + mistakes.length === 0)
		throw new Failure("NOT_FOUND", `There are no tests: write them into ${TESTS_PATH} of the folder.`);
	for (const notice of await service.prepareAll(signal)) tell(notice);
	const done: TestOutcome[] = [];
	for (const test of tests) done.push(await runTest(test, ports, signal));
	return { done, mistakes };
}

function portsOf({ knowledge, graph }: KnowledgeService): TestPorts {
	const search = (query: SearchQuery, signal: AbortSignal) =>
		knowledge.search({ ...query, channel: "mcp" }, signal);
	return {
		ask: createPassages({
			search: ({ question }, asked, signal) => search({ query: question, limit: HITS, ...asked }, signal),
		}),
		search,
		query: (query, signal) => graph.query({ ...query, channel: "mcp" }, signal),
		now: () => performance.now(),
	};
}

function print({ done, mistakes }: Outcomes): number {
	const say = (text: string, before = "") => void process.stdout.write(`${before}${visibleText(text)}\n`);
	for (const mistake of mistakes) say(`✖ ${TESTS_PATH}:${mistake.line}: ${mistake.message}`);
	for (const outcome of done) {
		say(`${markOf(outcome)} ${outcome.test.name} (${outcome.measured.milliseconds} ms)`);
		for (const { line, message } of outcome.failures) say(`${TESTS_PATH}:${line}: ${message}`, INDENT);
		for (const notice of outcome.notices) say(notice, INDENT);
	}
	const counted = (mark: string) => done.filter((outcome) => markOf(outcome) === mark).length;
	const [passed, failed] = ["✔", "✖"].map(counted) as [number, number];
	const counts: [number, string][] = [
		[counted("–"), "skipped"],
		[mistakes.length, "not understood"],
	];
	const more = counts.flatMap(([count, what]) => (count > 0 ? [`, ${count} ${what}`] : []));
	say(`${passed} passed, ${failed} failed${more.join("")}`);
	return failed + mistakes.length > 0 ? 1 : 0;
}

function markOf({ failures, unjudged }: TestOutcome): string {
	if (failures.length > 0) return "✖";
	return unjudged === undefined ? "✔" : "–";
}

async function judgingOf(run: McpRun, signal: AbortSignal): Promise<Partial<TestPorts>> {
	if (!run.args.model) return {};
	const { model } = await openServerModel(run, run.args.model, signal);
	const judge = judgeByModel((prompt, whileJudging) =>
		complete(model, [{ role: "user", text: prompt }], whileJudging),
	);
	return { judge };
}
