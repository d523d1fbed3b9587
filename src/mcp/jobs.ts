import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { complete } from "../agent/ports.ts";
import { Failure, messageOf } from "../base/failure.ts";
import { undefinedIfMissing } from "../base/files/file.ts";
import { machineFacts } from "../base/program/machineFacts.ts";
import { visibleText } from "../base/text/visibleText.ts";
import { unrecorded } from "../base/traces/recorder.ts";
import type { SearchQuery } from "../core/knowledge/knowledge.ts";
import type { TestFailure, TestOutcome } from "../core/knowledge/knowledgeTest.ts";
import type { PluginDefinition } from "../core/plugin/plugin.ts";
import { toJUnit } from "../knowledgeTests/junit.ts";
import type { TestPorts } from "../knowledgeTests/observe.ts";
import { judgeByModel, runTest } from "../knowledgeTests/runTests.ts";
import { readTestFile, TESTS_PATH } from "../knowledgeTests/testFile.ts";
import { skillPlace } from "../loads/skillFiles.ts";
import { createPassages } from "../passages/passages.ts";
import { needsConsent } from "../plugins/share/requireAgreed.ts";
import { gatherReport, metadataOf, reportText } from "../protocol/problemReport.ts";
import { type McpRun, tell } from "./arguments/mcpRun.ts";
import { openServerModel } from "./client/serverModel.ts";
import { type KnowledgeService, openService } from "./service/knowledgeService.ts";
import { consentsOf } from "./service/places.ts";

/** Runs a job with the knowledge open. Resolves with the exit code: 2 if the job fails. */
export async function runJob(
	run: McpRun,
	purpose: string,
	job: (service: KnowledgeService) => Promise<number>,
): Promise<number> {
	const service = openService(run, () => `Copilot-LD ${run.programs.version}, ${purpose}`);
	try {
		return await job(service);
	} catch (thrown) {
		tell(messageOf(thrown));
		return 2;
	} finally {
		await service.close();
	}
}

const PATIENCE_MS = 60_000;

/** Writes the same metadata as the editor's problem report, after indexing. Resolves with the exit code. */
export function reportProblem(run: McpRun, file: string): Promise<number> {
	return runJob(run, "reporting a problem", async (service) => {
		// An error of indexing must not prevent the report about it.
		await service.prepareAll(AbortSignal.timeout(PATIENCE_MS)).catch((thrown) => tell(messageOf(thrown)));
		const { versions, platform } = machineFacts();
		const surroundings = { versions: { mcp: run.programs.version, ...versions }, platform };
		const settings = Object.entries(run.args).map(([name, value]) => {
			return { name, value, isDefault: false, choices: [] };
		});
		const ports = { ...service, recorder: unrecorded };
		const parts = await gatherReport(ports, { surroundings, settings, turns: [] });
		await writeFile(file, reportText(metadataOf(parts)));
		tell(`The report is in ${file}. It has numbers and our own words only; nothing was sent.`);
		return 0;
	});
}

/** Prints problems in files of agents, plugins and skills. Resolves with 1 if a file is skipped, else 0. */
export function checkFiles(run: McpRun): Promise<number> {
	const consents = consentsOf(run);
	const say = (text: string) => void process.stdout.write(`${visibleText(text)}\n`);
	return runJob(run, "checking files", async (service) => {
		const [agents, plugins, { skills, problems: ofSkills }] = await Promise.all([
			service.agents.registry(never),
			service.plugins.registry(never),
			skillPlace(service.agents, () => run.paths).list(never),
		]);
		const problems = [...agents.problems, ...plugins.problems, ...ofSkills];
		for (const { uri, line, severity, message } of problems)
			say(`${fileURLToPath(uri)}:${line}: ${severity}: ${message}`);
		for (const plugin of plugins.plugins.filter((one) => needsConsent(one, plugins.plugins)))
			if ((await consents.consentStateOf(plugin)) !== "agreed") say(consentLine(plugin));
		const counts = [agents.agents, plugins.plugins, skills, problems].map(({ length }) => length);
		say(`${counts[0]} agents, ${counts[1]} plugins, ${counts[2]} skills, ${counts[3]} problems`);
		return problems.some(({ severity }) => severity === "error") ? 1 : 0;
	});
}

const never = new AbortController().signal;

function consentLine({ name, fingerprint, source }: PluginDefinition): string {
	const place = fileURLToPath(source.uri);
	if (fingerprint === undefined)
		return `${place}: its folder contains a link or is too large, so nobody can agree to it`;
	return `${place}: does more than read; to agree to this version: --agree-plugin ${name}@${fingerprint}`;
}

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
