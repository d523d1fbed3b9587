import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { createAcpClient } from "../../src/acp/link/acpClient.ts";
import { startCallHooks } from "../../src/acp/link/callHooks.ts";
import { startCli } from "../../src/acp/link/cliProcess.ts";
import { findCli } from "../../src/acp/link/findCli.ts";
import { createSessionFiles } from "../../src/acp/stored/storedSessions.ts";
import { createCliRunner } from "../../src/acp/turn/cliRunner.ts";
import type { CliQuestion } from "../../src/acp/turn/guard/permissionDesk.ts";
import type { CliSession } from "../../src/acp/turn/session/cliSession.ts";
import { createCliSessions } from "../../src/acp/turn/session/cliSessions.ts";
import type { AgentEvent, AgentRequest, Runner } from "../../src/core/agent/agentEvent.ts";
import type { TurnHooks } from "../../src/core/agent/tool.ts";
import type { Permissions } from "../../src/core/permission/permission.ts";
import { cliHome } from "../../src/loads/cliHome.ts";
import type { PersonsAnswer } from "../../src/permissions/decide.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { makeFolder } from "../support/folder.ts";
import { untilIt } from "../support/untilIt.ts";
import { type ScriptedReply, type SeenRequest, startModelServer } from "./scriptedModelServer.ts";

export const never = new AbortController().signal;

export type RealCli = Awaited<ReturnType<typeof startRealCli>>;

type Cleanup = Pick<TestContext, "after">;

export async function startRealCli(
	t: Cleanup,
	reply: (request: SeenRequest) => ScriptedReply,
	extra: NodeJS.ProcessEnv = {},
	{ hasHooks = true }: { readonly hasHooks?: boolean } = {},
) {
	const folder = await makeFolder(t);
	const model = await startModelServer(t, reply);
	const hooks = hasHooks ? await startCallHooks() : undefined;
	t.after(() => hooks?.stop());
	const places = { PATH: process.env["PATH"], HOME: folder, COPILOT_HOME: join(folder, "home") };
	const env = { ...hooks?.env, ...model.env, ...places, ...extra };
	const { command } = await findCli({ setting: "", env: {}, packageFolders: [resolve(".")] });
	const files = createSessionFiles(cliHome(env));
	const link = () => {
		const args = ["--acp", "--stdio", ...(hooks?.args ?? [])];
		const open = async () => startCli({ command, args, cwd: folder, env, graceMs: 4000 });
		const client = createAcpClient({ open, version: "0.0.0" });
		t.after(() => client.stop());
		return { client, sessions: createCliSessions({ client, files, mayAllowAll: async () => false }) };
	};
	const [own, work] = [link(), await makeFolder(t)];
	const open = (cwd = work) => own.sessions.create({ cwd, mcpServers: [] });
	return { ...own, open, files, ...(hooks && { hooks }), env, work, model, another: link };
}

/** Starts an agent that behaves in ways that the real CLI cannot be made to. */
export async function startScriptedAgent(
	t: Cleanup,
	{ beginning = "", ...options }: { beginning?: string; initializeMs?: number } = {},
) {
	const folder = await makeFolder(t);
	const pids: number[] = [];
	const open = async () => {
		const args = [resolve("test/acp/scriptedAgent.ts"), beginning];
		const program = { command: process.execPath, args, cwd: folder, env: process.env, graceMs: 500 };
		const link = startCli(program);
		pids.push(link.pid ?? 0);
		return link;
	};
	const client = createAcpClient({ open, version: "0.0.0", initializeMs: 30_000, ...options });
	t.after(() => client.stop());
	const files = createSessionFiles(folder);
	const sessions = createCliSessions({ client, files, mayAllowAll: async () => false });
	const ask = async (question: string, signal?: AbortSignal) => {
		const session = await sessions.create({ cwd: folder, mcpServers: [] });
		return runToEnd(runnerOn({}, session), requestFor(question), signal);
	};
	return { client, folder, pids, ask };
}

type TestAnswer = PersonsAnswer | PersonsAnswer["kind"];

export interface RunnerOptions {
	readonly permissions?: Permissions;
	answer?(question: CliQuestion, signal: AbortSignal): TestAnswer | Promise<TestAnswer>;
	readonly chat?: string;
	readonly silenceMs?: number;
	readonly turnHooks?: TurnHooks;
	readonly signal?: AbortSignal;
	watch?(event: AgentEvent): void;
}

/** Creates a runner for an open session. By default, the user rejects every call. */
export function runnerOn(
	{ hooks }: Pick<RealCli, "hooks">,
	session: CliSession,
	{ answer, ...options }: RunnerOptions = {},
): Runner {
	return createCliRunner({
		openSession: async () => ({ session, workspace: "", ...(hooks && { hooks }) }),
		permissions: createFakePermissions(),
		askPerson: async (question, signal) => {
			const answered = (await answer?.(question, signal)) ?? "deny";
			return (typeof answered === "string" ? { kind: answered } : answered) as PersonsAnswer;
		},
		...options,
	});
}

export function requestFor(question: string, rest: Partial<AgentRequest> = {}): AgentRequest {
	return { question, history: [], attachments: [], ...rest };
}

export interface Shown {
	readonly events: readonly AgentEvent[];
	readonly thrown?: unknown;
}

export async function runToEnd(
	runner: Runner,
	request: AgentRequest,
	signal: AbortSignal = never,
	watch: (event: AgentEvent) => void = () => undefined,
): Promise<Shown> {
	const events: AgentEvent[] = [];
	try {
		for await (const event of runner(request, signal)) {
			events.push(event);
			watch(event);
		}
		return { events };
	} catch (thrown) {
		return { events, thrown };
	}
}

export function assertFailed({ thrown }: Shown, failure: { code?: string; message: RegExp }): Promise<void> {
	return assert.rejects(Promise.reject(thrown), { name: "Failure", ...failure });
}

/** Asks a question in an open session, and waits for the end of the turn. */
export function askOn(
	cli: Pick<RealCli, "hooks">,
	session: CliSession,
	question: string | AgentRequest,
	{ signal, watch, ...options }: RunnerOptions = {},
): Promise<Shown> {
	const request = typeof question === "string" ? requestFor(question) : question;
	return runToEnd(runnerOn(cli, session, options), request, signal, watch);
}

export function eventsOf<Kind extends AgentEvent["kind"]>({ events }: Shown, kind: Kind) {
	return events.filter((event): event is Extract<AgentEvent, { kind: Kind }> => event.kind === kind);
}

export function answerOf(shown: Shown): string {
	return eventsOf(shown, "text")
		.map(({ text }) => text)
		.join("");
}

/** Polls until a killed process is gone, since only its parent is notified. */
export async function untilGone(pid: number): Promise<void> {
	const processes = async () => execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" });
	const isAlive = (line: string) => line.trim().startsWith(`${pid} `) && !line.includes("Z");
	await untilIt(processes, (all) => !all.split("\n").some(isAlive));
}
