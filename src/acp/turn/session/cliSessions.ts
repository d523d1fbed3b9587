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
	const opened = new Map<string, Promise<LoadedSession>>();
	const held = createHeldSettings();
	const keep = (id: string, loading: Promise<LoadedSession>) => {
		opened.set(id, loading);
		loading.catch(() => opened.delete(id));
		return loading;
	};
	const findOpen = async (id: string) => {
		const found = await opened.get(id)?.catch(() => undefined);
		return found && !found.session.isLost() ? found.session : undefined;
	};
	const close = async (id: string) => {
		opened.delete(id);
		held.giveUp(id);
		client.unlisten(id);
		await client.request(methods.agent.session.close, { sessionId: id });
	};
	return {
		create: async (setting: SessionSetting) => {
			const session = await held.unlessItFails(setting, () => createSession(deps, setting, held.giveUp));
			held.hold(session.id, setting);
			await keep(session.id, Promise.resolve({ session, replay: [] }));
			return session;
		},
		load: async (id: string, setting: SessionSetting) => {
			const session = await findOpen(id);
			if (session && (session.isBusy() || held.isOf(id, setting))) {
				endAll(setting);
				return { session, replay: [] };
			}
			if (session) await close(id);
			held.hold(id, setting);
			const loading = loadSession(deps, { id, onLost: () => held.giveUp(id) }, setting);
			return keep(
				id,
				held.unlessItFails(setting, () => loading),
			);
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

/** What the open sessions were given, revoked when they close. */
function createHeldSettings() {
	const settings = new Map<string, SessionSetting>();
	const giveUp = (id: string) => {
		const setting = settings.get(id);
		settings.delete(id);
		if (setting) endAll(setting);
	};
	return {
		giveUp,
		hold: (id: string, setting: SessionSetting) => {
			giveUp(id);
			settings.set(id, setting);
		},
		isOf: (id: string, { owner }: SessionSetting) => settings.get(id)?.owner === owner,
		unlessItFails: async <T>(setting: SessionSetting, open: () => Promise<T>): Promise<T> => {
			try {
				return await open();
			} catch (thrown) {
				endAll(setting);
				throw thrown;
			}
		},
	};
}

function endAll({ mcpServers }: SessionSetting): void {
	for (const server of mcpServers) server.end?.();
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
