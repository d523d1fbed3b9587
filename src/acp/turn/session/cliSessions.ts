import { type McpServer, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { Failure, isFailure } from "../../../base/failure.ts";
import type { AcpClient } from "../../link/acpClient.ts";
import type { SessionFiles } from "../../stored/storedSessions.ts";
import { type CliSession, createCliSession, type SessionPlace } from "./cliSession.ts";

interface SessionSetting {
	readonly cwd: string;
	/** They are revoked with the session, or if the session never gets them. */
	readonly mcpServers: readonly HttpMcpServer[];
	/** Id of the caller that needs these tools: a session opened for another caller is reopened with them. */
	readonly owner?: string;
}

/** The CLI accepts only HTTP servers from us. */
export interface HttpMcpServer {
	readonly name: string;
	readonly url: string;
	/** Sent with every call as a bearer token. */
	readonly token: string;
	/** Whether it announced a plugin command with this name to the session; absent if it has no commands. */
	hasCommand?(tool: string): boolean;
	end?(): void;
}

interface LoadedSession {
	readonly session: CliSession;
	/** What was said and done in it, as far as the CLI still knows; empty if it was already open. */
	readonly replay: readonly SessionUpdate[];
}

/** The sessions of one agent. Every method rejects with a `Failure`. */
export type CliSessions = ReturnType<typeof createCliSessions>;

export interface CliSessionsDeps {
	readonly client: AcpClient;
	readonly files: SessionFiles;
	/** Whether a rule lets the CLI run every tool without asking. */
	mayAllowAll(session: string, cwd: string): Promise<boolean>;
}

export function createCliSessions(deps: CliSessionsDeps) {
	const { client, files } = deps;
	const opened = new Map<string, OpenedSession>();
	/** Forgets a session, and revokes what it was given. */
	const giveUp = (id: string) => {
		endAll(opened.get(id)?.setting);
		opened.delete(id);
	};
	const findOpen = async (id: string) => {
		const found = await opened.get(id)?.loading.catch(() => undefined);
		return found && !found.session.isLost() ? found.session : undefined;
	};
	const close = async (id: string) => {
		giveUp(id);
		client.unlisten(id);
		await client.request(methods.agent.session.close, { sessionId: id });
	};
	return {
		create: async (setting: SessionSetting) => {
			const session = await orRevoke(setting, createSession(deps, setting, giveUp));
			opened.set(session.id, { setting, loading: Promise.resolve({ session, replay: [] }) });
			return session;
		},
		load: async (id: string, setting: SessionSetting) => {
			const session = await findOpen(id);
			if (session && (session.isBusy() || opened.get(id)?.setting.owner === setting.owner)) {
				endAll(setting);
				return { session, replay: [] };
			}
			if (session) await close(id);
			giveUp(id);
			const loading = orRevoke(setting, loadSession(deps, { id, onLost: () => giveUp(id) }, setting));
			opened.set(id, { setting, loading });
			loading.catch(() => opened.delete(id));
			return loading;
		},
		close,
		rename: (id: string, title: string) => files.rename(id, title, client.pid()),
		/** Hides it from every list; `restore` brings it back. */
		delete: async (id: string) => {
			if (await findOpen(id)) await close(id);
			await files.delete(id);
		},
		restore: files.restore,
	};
}

interface OpenedSession {
	/** What it was given, which is revoked when it closes. */
	readonly setting: SessionSetting;
	readonly loading: Promise<LoadedSession>;
}

async function orRevoke<T>(setting: SessionSetting, opening: Promise<T>): Promise<T> {
	try {
		return await opening;
	} catch (thrown) {
		endAll(setting);
		throw thrown;
	}
}

function endAll(setting: SessionSetting | undefined): void {
	for (const server of setting?.mcpServers ?? []) server.end?.();
}

async function createSession(
	{ client, mayAllowAll }: CliSessionsDeps,
	{ cwd, mcpServers }: SessionSetting,
	giveUp: (id: string) => void,
): Promise<CliSession> {
	const params = { cwd, mcpServers: mcpServers.map(toMcpServer) };
	const answer = await client.request(methods.agent.session.new, params);
	const id = answer.sessionId;
	const port = { mayAllowAll: () => mayAllowAll(id, cwd), onLost: () => giveUp(id) };
	const place = { id, cwd, hasCommand: commandsOf(mcpServers) };
	const session = createCliSession(client, place, port);
	await session.take(answer);
	return session;
}

async function loadSession(
	{ client, files, mayAllowAll }: CliSessionsDeps,
	{ id, onLost }: { readonly id: string; onLost(): void },
	{ cwd, mcpServers }: SessionSetting,
): Promise<LoadedSession> {
	const pid = await files.openedBy(id, client.pid());
	if (pid !== undefined)
		throw new Failure(
			"BUSY",
			`Process ${pid} has this session open. Close it there first, or the two would overwrite each other.`,
		);
	const replay: SessionUpdate[] = [];
	let isLoading = true;
	const session = createCliSession(
		client,
		{ id, cwd, hasCommand: commandsOf(mcpServers) },
		{
			mayAllowAll: () => mayAllowAll(id, cwd),
			onLost,
			onUpdate: (update) => void (isLoading && replay.push(update)),
		},
	);
	const params = { sessionId: id, cwd, mcpServers: mcpServers.map(toMcpServer) };
	try {
		await session.take(await loadOrReload(client, params));
	} catch (thrown) {
		client.unlisten(id);
		throw thrown;
	}
	isLoading = false;
	return { session, replay };
}

/** A session that is open at the agent but not here is closed there first. */
async function loadOrReload(
	client: AcpClient,
	params: { readonly sessionId: string; readonly cwd: string; readonly mcpServers: McpServer[] },
): Promise<unknown> {
	try {
		return await client.request(methods.agent.session.load, params);
	} catch (thrown) {
		if (!isFailure(thrown) || thrown.code !== "BUSY") throw thrown;
		await client.request(methods.agent.session.close, { sessionId: params.sessionId });
		return client.request(methods.agent.session.load, params);
	}
}

/** Compares the exact names that the CLI forms from those of the servers: another server's tool may begin like one of ours. */
function commandsOf(servers: readonly HttpMcpServer[]): SessionPlace["hasCommand"] {
	return (tool) =>
		servers.some(({ name, hasCommand }) => {
			const prefix = `${name}-`;
			return tool.startsWith(prefix) && hasCommand?.(tool.slice(prefix.length)) === true;
		});
}

function toMcpServer({ name, url, token }: HttpMcpServer): McpServer {
	return { type: "http", name, url, headers: [{ name: "Authorization", value: `Bearer ${token}` }] };
}
