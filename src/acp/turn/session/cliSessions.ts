import { type McpServer, methods } from "@agentclientprotocol/sdk";
import { isFailure } from "../../../base/failure.ts";
import type { AcpClient } from "../../link/acpClient.ts";
import type { SessionFiles } from "../../stored/storedSessions.ts";
import { type CliSession, createCliSession, type SessionPlace } from "./cliSession.ts";

interface SessionSetting {
	readonly cwd: string;
	/** Servers offered to the session. Revoked when the session ends or fails to open. */
	readonly mcpServers: readonly HttpMcpServer[];
	/** Id of the caller that needs these servers. A session opened for another caller is reopened. */
	readonly owner?: string;
}

/** The CLI accepts only HTTP servers from its clients. */
export interface HttpMcpServer {
	readonly name: string;
	readonly url: string;
	readonly token: string;
	/** Whether the server offers a plugin command with this name; missing if the server offers no commands. */
	hasCommand?(tool: string): boolean;
	end?(): void;
}

export interface TurnPlace {
	readonly session: CliSession;
	/** URI of the window's first folder; empty if there is none. */
	readonly workspace: string;
}

export interface StepPlace extends TurnPlace {
	close(): Promise<void>;
}

/** Opens a session for a single step; rules treat it as part of `workspace`. */
export async function openStepPlace(
	sessions: CliSessions,
	{ workspace, ...setting }: SessionSetting & { readonly workspace: string },
): Promise<StepPlace> {
	const session = await sessions.create(setting);
	return { session, workspace, close: () => sessions.close(session.id) };
}

export type CliSessions = ReturnType<typeof createCliSessions>;

export interface CliSessionsDeps {
	readonly client: AcpClient;
	readonly files: SessionFiles;
	mayAllowAll(session: string, cwd: string): Promise<boolean>;
}

export function createCliSessions(deps: CliSessionsDeps) {
	const { client, files } = deps;
	const opened = new Map<
		string,
		{ readonly setting: SessionSetting; readonly loading: Promise<CliSession> }
	>();
	const giveUp = (id: string) => {
		endAll(opened.get(id)?.setting);
		opened.delete(id);
	};
	const { createSession, loadSession } = createOpening(deps, giveUp);
	const findOpen = async (id: string) => {
		const session = await opened.get(id)?.loading.catch(() => undefined);
		return session?.isLost() ? undefined : session;
	};
	const close = async (id: string) => {
		giveUp(id);
		client.unlisten(id);
		await client.request(methods.agent.session.close, { sessionId: id });
	};
	return {
		create: async (setting: SessionSetting) => {
			const session = await orRevoke(setting, createSession(setting));
			opened.set(session.id, { setting, loading: Promise.resolve(session) });
			return session;
		},
		load: async (id: string, setting: SessionSetting) => {
			const session = await findOpen(id);
			if (session && (session.isBusy() || opened.get(id)?.setting.owner === setting.owner)) {
				endAll(setting);
				return session;
			}
			if (session) await close(id);
			giveUp(id);
			const loading = orRevoke(setting, loadSession(id, setting));
			opened.set(id, { setting, loading });
			loading.catch(() => opened.delete(id));
			return loading;
		},
		close,
		rename: (id: string, title: string) => files.rename(id, title, client.pid()),
		delete: async (id: string) => {
			if (await findOpen(id)) await close(id);
			await files.delete(id);
		},
		restore: files.restore,
	};
}

function createOpening({ client, files, mayAllowAll }: CliSessionsDeps, onLost: (id: string) => void) {
	/** `begun` resolves with the agent's answer to the request that opens the session. */
	const openSession = async (
		id: string,
		{ cwd, mcpServers }: SessionSetting,
		begun: () => Promise<unknown>,
	) => {
		const place = { id, cwd, folder: files.folderOf(id), hasCommand: commandsOf(mcpServers) };
		const port = { mayAllowAll: () => mayAllowAll(id, cwd), onLost: () => onLost(id) };
		const session = createCliSession(client, place, port);
		try {
			await session.take(await begun());
			return session;
		} catch (thrown) {
			client.unlisten(id);
			throw thrown;
		}
	};
	return {
		createSession: async (setting: SessionSetting) => {
			const answer = await client.request(methods.agent.session.new, paramsOf(setting));
			return openSession(answer.sessionId, setting, async () => answer);
		},
		loadSession: async (id: string, setting: SessionSetting) => {
			await files.requireFree(id, client.pid());
			return openSession(id, setting, () => loadOrReload(client, { sessionId: id, ...paramsOf(setting) }));
		},
	};
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

/** Loads a session. If the agent still has the session open, closes it there first. */
async function loadOrReload(
	client: AcpClient,
	params: ReturnType<typeof paramsOf> & { readonly sessionId: string },
): Promise<unknown> {
	try {
		return await client.request(methods.agent.session.load, params);
	} catch (thrown) {
		if (!isFailure(thrown) || thrown.code !== "BUSY") throw thrown;
		await client.request(methods.agent.session.close, { sessionId: params.sessionId });
		return client.request(methods.agent.session.load, params);
	}
}

/** Matches the full name `server-command`, because a tool of another server may share a prefix with ours. */
function commandsOf(servers: readonly HttpMcpServer[]): SessionPlace["hasCommand"] {
	return (tool) =>
		servers.some(({ name, hasCommand }) => {
			const prefix = `${name}-`;
			return tool.startsWith(prefix) && hasCommand?.(tool.slice(prefix.length)) === true;
		});
}

function paramsOf({ cwd, mcpServers }: SessionSetting) {
	const servers = mcpServers.map(
		({ name, url, token }): McpServer => ({
			type: "http",
			name,
			url,
			headers: [{ name: "Authorization", value: `Bearer ${token}` }],
		}),
	);
	return { cwd, mcpServers: servers };
}
