import { randomUUID } from "node:crypto";
import { once as onceEvent } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fieldOf, textOf } from "../../base/values.ts";

/** A call that the CLI is about to run: with the arguments that it will run with, whatever hooks before ours made of them. */
export interface HookedCall {
	/** As the CLI names tools to its model. */
	readonly tool: string;
	readonly input: unknown;
	readonly isSubagent: boolean;
}

/** What the model reads of a call that has ended. */
export interface AfterCall {
	/** Replaces the result; absent if the model may read it. */
	readonly instead?: string;
	readonly also?: string;
}

/** Decides on the calls of one session. If it rejects, the call does not run. */
export interface CallJudge {
	/** `pass` leaves it to the CLI's own rules, and to the hooks of others. */
	before(call: HookedCall): Promise<"allow" | "pass" | { readonly deny: string }>;
	after(call: HookedCall, result: string): Promise<AfterCall>;
}

/** Our hooks in the CLI, which asks them about every call, including those it allows without asking the user. */
export type CallHooks = Awaited<ReturnType<typeof startCallHooks>>;

/** The user may take long to decide, and the CLI goes on without a hook that times out. */
const TIMEOUT_SECONDS = 24 * 60 * 60;
const NO_TURN = "No turn of Copilot-LD is at work in this session.";

/** Starts a plugin whose hooks, the last that are asked, are requests to this process. Any denial binds; an unreachable hook denies. */
export async function startCallHooks() {
	const judges = new Map<string, CallJudge>();
	const token = randomUUID();
	const answer = createAnswers(judges);
	const server = createServer((request, response) => {
		respond(request, response, { token, answer }).catch(() => response.destroy());
	});
	await onceEvent(server.listen(0, "127.0.0.1"), "listening");
	const address = server.address();
	const port = typeof address === "object" ? address?.port : undefined;
	const { folder, name } = await writePlugin(`http://127.0.0.1:${port}`, token);
	return {
		args: ["--plugin-dir", folder],
		env: { COPILOT_HOOK_ALLOW_LOCALHOST: "1" },
		/** Holds until the returned function is called. Without a judge, nothing runs in a session. */
		judge: (session: string, judge: CallJudge) => {
			judges.set(session, judge);
			return () => void (judges.get(session) === judge && judges.delete(session));
		},
		/** Lets sessions that begin from now on act as an agent, by the name that it resolves with, until `end`. */
		lend: async (file: string) => {
			const id = randomUUID();
			const path = join(folder, "agents", `${id}.md`);
			await writeFile(path, file, { mode: 0o600 });
			return { name: `${name}:${id}`, end: () => rm(path, { force: true }) };
		},
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** A name that no repository can guess, so that none can switch it off in its settings. */
async function writePlugin(url: string, token: string) {
	const folder = await mkdtemp(join(tmpdir(), "copilot-ld-hooks-"));
	const hook = (path: string) => ({
		type: "http",
		url: `${url}/${path}`,
		headers: { Authorization: `Bearer ${token}` },
		timeoutSec: TIMEOUT_SECONDS,
	});
	const after = [hook("after")];
	const hooks = { preToolUse: [hook("before")], postToolUse: after, postToolUseFailure: after };
	const plugin = { name: `copilot-ld-${randomUUID()}`, version: "1.0.0", hooks: "hooks.json" };
	await mkdir(join(folder, "agents"));
	await writeFile(join(folder, "hooks.json"), JSON.stringify({ version: 1, hooks }), { mode: 0o600 });
	await writeFile(join(folder, "plugin.json"), JSON.stringify(plugin));
	return { folder, name: plugin.name };
}

type Answers = (path: string, body: unknown) => Promise<object>;

async function respond(
	request: IncomingMessage,
	response: ServerResponse,
	{ token, answer }: { readonly token: string; readonly answer: Answers },
): Promise<void> {
	if (request.headers.authorization !== `Bearer ${token}`) {
		response.writeHead(401).end();
		return;
	}
	const body = JSON.stringify(await answer(request.url ?? "", await json(request)));
	response.writeHead(200, { "content-type": "application/json" }).end(body);
}

function createAnswers(judges: ReadonlyMap<string, CallJudge>): Answers {
	/** Subagents have their own ids, and name their caller. */
	const parents = new Map<string, string>();
	const judgeOf = (body: unknown) => {
		let id = textOf(body, "sessionId") ?? "";
		const parent = textOf(body, "parentAgentId");
		if (parent !== undefined && parent !== id) parents.set(id, parent);
		for (let hops = 0; hops < 16 && !judges.has(id); hops++) id = parents.get(id) ?? id;
		return { judge: judges.get(id), isSubagent: id !== textOf(body, "sessionId") };
	};
	return async (path, body) => {
		const { judge = NO_JUDGE, isSubagent } = judgeOf(body);
		const call = { tool: textOf(body, "toolName") ?? "", input: fieldOf(body, "toolArgs"), isSubagent };
		if (path === "/before") return permissionIn(await judge.before(call));
		const result = fieldOf(body, "toolResult");
		const text = textOf(result, "textResultForLlm") ?? "";
		const { instead, also } = await judge.after(call, text);
		const modified = { resultType: "success", textResultForLlm: instead };
		return { ...(instead !== undefined && { modifiedResult: modified }), additionalContext: also };
	};
}

/** Lets no call run, and no result be read. */
const NO_JUDGE: CallJudge = {
	before: async () => ({ deny: NO_TURN }),
	after: async () => ({ instead: NO_TURN }),
};

function permissionIn(verdict: Awaited<ReturnType<CallJudge["before"]>>): object {
	if (verdict === "pass") return {};
	if (verdict === "allow") return { permissionDecision: "allow" };
	return { permissionDecision: "deny", permissionDecisionReason: verdict.deny };
}
