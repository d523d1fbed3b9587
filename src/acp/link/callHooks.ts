import { randomUUID } from "node:crypto";
import { once as onceEvent } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fieldOf, textOf } from "../../base/values.ts";

/** A call that the CLI is about to run. Its arguments are final, because hooks before ours have already run. */
export interface HookedCall {
	readonly tool: string;
	readonly input: unknown;
	readonly isSubagent: boolean;
}

export interface AfterCall {
	/** Replaces the result; missing if the model may read the result. */
	readonly instead?: string;
	readonly also?: string;
}

/** Decides on the calls of one session. If it rejects, the call does not run. */
export interface CallJudge {
	/** `pass` leaves the decision to the CLI's own rules and to other hooks. */
	before(call: HookedCall): Promise<"allow" | "pass" | { readonly deny: string }>;
	after(call: HookedCall, result: string): Promise<AfterCall>;
}

export type CallHooks = Awaited<ReturnType<typeof startCallHooks>>;

/** Long enough for the user to decide, because the CLI ignores a hook after its timeout. */
const TIMEOUT_SECONDS = 24 * 60 * 60;
const NO_TURN = "No turn of Copilot-LD is at work in this session.";

/**
 * Starts a plugin of the CLI whose hooks ask this process. A denial by any hook is final; an unreachable hook
 * denies.
 */
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
		/** Sets a session's judge until the returned function is called. Without a judge, no call runs. */
		judge: (session: string, judge: CallJudge) => {
			judges.set(session, judge);
			return () => void (judges.get(session) === judge && judges.delete(session));
		},
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

/** The random name of the plugin keeps a repository's settings from switching it off. */
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

const NO_JUDGE: CallJudge = {
	before: async () => ({ deny: NO_TURN }),
	after: async () => ({ instead: NO_TURN }),
};

function permissionIn(verdict: Awaited<ReturnType<CallJudge["before"]>>): object {
	if (verdict === "pass") return {};
	if (verdict === "allow") return { permissionDecision: "allow" };
	return { permissionDecision: "deny", permissionDecisionReason: verdict.deny };
}
