import {
	type AgentRequestMethod,
	type AgentRequestParamsByMethod,
	type AgentRequestResponsesByMethod,
	client,
	type InitializeResponse,
	methods,
	PROTOCOL_VERSION,
	RequestError,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
	type SessionUpdate,
	type Stream,
} from "@agentclientprotocol/sdk";
import { Failure, type FailureCode, isFailure, messageOf } from "../../base/failure.ts";
import { endsWithin } from "../../base/jobs/untilAborted.ts";
import { fieldOf, isRecord, listOf, textOf } from "../../base/values.ts";

export interface AgentLink {
	readonly stream: Stream;
	/** Resolves with the reason when the agent is gone. Never rejects. */
	readonly closed: Promise<string>;
	readonly pid?: number;
	stop(): Promise<void>;
}

interface SessionListener {
	/** Called in the order of the messages, before the answer to any later request. */
	update(update: SessionUpdate): void;
	permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
	lost(failure: Failure): void;
}

interface AcpClientOptions {
	open(): Promise<AgentLink>;
	readonly version: string;
	readonly initializeMs?: number;
}

type Running = Awaited<ReturnType<typeof connect>>;

/** Time limit for the agent's start. The first start from a cold disk takes two seconds. */
const INITIALIZE_MS = 60_000;

const EARLY_UPDATES = 64;

export type AcpClient = ReturnType<typeof createAcpClient>;

export function createAcpClient(options: AcpClientOptions) {
	const router = createUpdateRouter();
	let running: Promise<Running> | undefined;
	let opened: Promise<AgentLink> | undefined;
	let pid: number | undefined;
	const start = (): Promise<Running> => {
		if (running) return running;
		opened = options.open();
		const starting = connect(opened, options, router);
		running = starting;
		const forget = () => {
			if (running === starting) running = undefined;
		};
		starting.then(({ link }) => {
			pid = link.pid;
			void link.closed.then((why) => {
				forget();
				router.lost(stopped(why));
			});
		}, forget);
		return starting;
	};
	return {
		ensureStarted: async () => (await start()).info,
		/** Rejects with a `Failure`: `CLI_STOPPED` if the agent stops before the answer. */
		request: async <Method extends AgentRequestMethod>(
			method: Method,
			params: AgentRequestParamsByMethod[Method],
		): Promise<AgentRequestResponsesByMethod[Method]> => {
			const { link, connection } = await start();
			const gone = goneFrom(link, stopped);
			try {
				return await Promise.race([connection.agent.request(method, params), gone]);
			} catch (thrown) {
				// The connection breaks shortly before the agent's exit is detected.
				throw toFailure(connection.signal.aborted ? await gone.catch((failure) => failure) : thrown);
			}
		},
		/** Asks the agent to end the session's turn. Resolves after the agent has read the request. */
		cancel: async (sessionId: string) => {
			const { agent } = (await running)?.connection ?? {};
			await agent?.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);
			// Messages are read in order, so any answer to this request means that the notification was read.
			await agent?.request(methods.agent.session.list, { cwd: "/" }).catch(() => undefined);
		},
		listen: router.listen,
		unlisten: router.unlisten,
		/** `undefined` for an agent that another program started. */
		pid: () => pid,
		stop: async () => {
			const stopping = running;
			running = undefined;
			// Do not wait for a start in progress: the start fails when its link is closed.
			await (await opened?.catch(() => undefined))?.stop();
			(await stopping?.catch(() => undefined))?.connection.close();
		},
	};
}

async function connect(
	opened: Promise<AgentLink>,
	options: AcpClientOptions,
	{ read, permission }: ReturnType<typeof createUpdateRouter>,
) {
	const link = await opened;
	const { writable, readable } = link.stream;
	const connection = client({ name: "copilot-ld" })
		.onRequest(methods.client.session.requestPermission, ({ params }) => permission(params))
		.connect({ writable, readable: readable.pipeThrough(read()) });
	try {
		const starting = connection.agent.request(methods.agent.initialize, {
			protocolVersion: PROTOCOL_VERSION,
			clientCapabilities: {},
			clientInfo: { name: "copilot-ld", title: "Copilot-LD", version: options.version },
		});
		const started = Promise.race([starting, goneFrom(link, notStarted)]);
		const ms = options.initializeMs ?? INITIALIZE_MS;
		if (!(await endsWithin(started, ms))) throw notStarted(`it did not respond for ${ms / 1000} seconds`);
		const info = await started;
		const { protocolVersion, agentInfo } = info;
		if (protocolVersion === PROTOCOL_VERSION) return { link, connection, info };
		const message = `The agent ${agentInfo?.version ?? ""} speaks version ${protocolVersion} of the Agent Client Protocol, Copilot-LD version ${PROTOCOL_VERSION}. Update the GitHub Copilot CLI with “copilot update”.`;
		throw new Failure("CLI_OLD", message);
	} catch (thrown) {
		const isGone = connection.signal.aborted;
		await link.stop();
		connection.close();
		throw isGone ? notStarted(await link.closed) : toFailure(thrown);
	}
}

async function goneFrom({ closed }: AgentLink, failureOf: (why: string) => Failure): Promise<never> {
	throw failureOf(await closed);
}

function stopped(why: string): Failure {
	const message = `The GitHub Copilot CLI stopped: ${why}. Ask again: it is restarted and continues the session.`;
	return new Failure("CLI_STOPPED", message);
}

function notStarted(why: string): Failure {
	const message = `The GitHub Copilot CLI did not start: ${why}. Try “copilot --version” in a terminal, and check the log.`;
	return new Failure("CLI_STOPPED", message);
}

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

function toFailure(thrown: unknown): Failure {
	if (isFailure(thrown)) return thrown;
	const failure = (code: FailureCode, words: string) => new Failure(code, words, { cause: thrown });
	if (!(thrown instanceof RequestError))
		return failure("CLI_FAILED", `The connection to the GitHub Copilot CLI was lost: ${messageOf(thrown)}`);
	const { code, message, data } = thrown;
	// The error's data usually has more details than its message.
	const words = typeof data === "string" ? data : (textOf(data, "details") ?? message);
	if (code === AUTH_REQUIRED)
		return failure("CLI_SIGN_IN", "Sign in to the GitHub Copilot CLI first, then ask again.");
	if (code === NOT_FOUND || /^Session \S+ not found/.test(words))
		return failure("NOT_FOUND", "The GitHub Copilot CLI no longer has this session.");
	if (/is already loaded/.test(words))
		return failure("BUSY", "The GitHub Copilot CLI has this session open already.");
	return failure("CLI_FAILED", `The GitHub Copilot CLI refused: ${words}`);
}

function createUpdateRouter() {
	const listeners = new Map<string, SessionListener>();
	const early: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
	const route = (sessionId: string, update: SessionUpdate) => {
		const listener = listeners.get(sessionId);
		if (listener) return listener.update(update);
		early.push({ sessionId, update });
		if (early.length > EARLY_UPDATES) early.shift();
	};
	return {
		/** Takes updates off the stream, because the library drops unknown updates and delivers the others too late. */
		read: () =>
			new TransformStream({
				transform: (message, controller) => {
					const isUpdate =
						textOf(message, "method") === "session/update" && fieldOf(message, "id") === undefined;
					if (!isUpdate) return controller.enqueue(message);
					const params = fieldOf(message, "params");
					const [sessionId, update] = [textOf(params, "sessionId"), fieldOf(params, "update")];
					// Agents send more than the schema describes, so readers check the fields themselves.
					if (sessionId !== undefined && isRecord(update)) route(sessionId, update as SessionUpdate);
				},
			}),
		permission: async (request: RequestPermissionRequest) =>
			(await listeners.get(request.sessionId)?.permission(request)) ?? { outcome: { outcome: "cancelled" } },
		listen: (sessionId: string, listener: SessionListener) => {
			listeners.set(sessionId, listener);
			const waiting = early.filter((item) => item.sessionId === sessionId);
			early.splice(0, early.length, ...early.filter((item) => item.sessionId !== sessionId));
			for (const { update } of waiting) listener.update(update);
		},
		unlisten: (sessionId: string) => void listeners.delete(sessionId),
		lost: (failure: Failure) => {
			const left = [...listeners.values()];
			listeners.clear();
			for (const listener of left) listener.lost(failure);
		},
	};
}

/** Returns the agent's command for signing in; `undefined` if there is none. Copilot-LD never sees a key. */
export function loginOf(info: InitializeResponse) {
	for (const method of listOf(info, "authMethods")) {
		const terminal = fieldOf(fieldOf(method, "_meta"), "terminal-auth");
		const command = textOf(terminal, "command");
		if (command === undefined) continue;
		const args = listOf(terminal, "args").filter((arg) => typeof arg === "string");
		return { command, args, label: textOf(terminal, "label") ?? "Copilot Login" };
	}
	return undefined;
}
