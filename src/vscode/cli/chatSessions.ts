import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { l10n } from "vscode";
import type { SessionFiles } from "../../acp/stored/storedSessions.ts";
import type { CliSession } from "../../acp/turn/session/cliSession.ts";
import { type CliSessions, type HttpMcpServer, openStepPlace } from "../../acp/turn/session/cliSessions.ts";
import { Failure, ifThere } from "../../base/failure.ts";
import { isInside } from "../../base/files/paths.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import type { StepGrant } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { isConfirmed } from "../confirmLines.ts";
import { folderPaths, workspaceUri } from "../folders.ts";
import { type CliSessionMap, noteUse } from "./cliState.ts";
import { confirmLoads, requireTrustForCli } from "./program.ts";

export type CliChatSessions = ReturnType<typeof createCliChatSessions>;

export interface CliChatSessionsDeps {
	readonly sessions: CliSessions;
	readonly files: SessionFiles;
	/** Stores the user's consent to the files that the CLI loads from folders. */
	readonly state: vscode.Memento;
	readonly known: CliSessionMap;
	readonly permissions: Permissions;
	mcpAccess(chat: string, step?: StepGrant): Promise<readonly HttpMcpServer[]>;
}

const KEY = "cli.foreignFolders";

export function createCliChatSessions(deps: CliChatSessionsDeps) {
	const { sessions, files, state, known } = deps;
	const open = new Map<string, CliSession>();
	let latest: string | undefined;
	// Concurrent steps ask the user about a folder only once.
	const opening = createMutex();
	return {
		/** Loads the chat's session in its folder, or starts a new session here. Rejects without consent. */
		open: async (chat: string, workspace: string, report: (text: string) => void) => {
			const id = known.get(chat);
			const cwd = (id !== undefined && (await files.cwdOf(id))) || workspace;
			await requireConsent(cwd, deps);
			report(l10n.t("Asking the Copilot CLI"));
			const setting = { cwd, mcpServers: await deps.mcpAccess(chat), owner: chat };
			const loaded = id === undefined ? undefined : await ifThere(() => sessions.load(id, setting));
			if (id !== undefined && !loaded)
				report(l10n.t("The session of this chat no longer exists; a new one is started"));
			const session = loaded ?? (await sessions.create(setting));
			await known.set(chat, session.id);
			await noteUse(state);
			open.set(chat, session);
			latest = chat;
			return { session, workspace: await rulesPlace(cwd) };
		},
		openStep: (session: string, workspace: string, step: StepGrant) =>
			opening.run(() => openStep(deps, session, workspace, step)),
		opened: (chat: string) => {
			const session = open.get(chat);
			return session?.isLost() ? undefined : session;
		},
		/** The chat that used the CLI last. Throws a `Failure` if there is none. */
		latest: () => {
			if (latest !== undefined) return latest;
			const advice = l10n.t("Ask the Copilot CLI something first: type “@copilot-ld /cli” in the chat.");
			throw new Failure("BAD_INPUT", advice);
		},
	};
}

async function openStep(deps: CliChatSessionsDeps, session: string, cwd: string, step: StepGrant) {
	const { sessions, state, known, mcpAccess } = deps;
	await requireConsent(cwd, deps);
	const setting = { cwd, workspace: await rulesPlace(cwd), mcpServers: await mcpAccess(session, step) };
	const place = await openStepPlace(sessions, setting);
	await known.set(session, place.session.id);
	await noteUse(state);
	return place;
}

async function requireConsent(folder: string, { state, permissions }: CliChatSessionsDeps): Promise<void> {
	requireTrustForCli();
	await confirmFolder(folder, state);
	await confirmLoads(folder, state, { permissions, workspace: await rulesPlace(folder) });
}

/** Asks before a session continues outside the workspace, where trust does not apply. Rejects on refusal. */
async function confirmFolder(folder: string, state: vscode.Memento): Promise<void> {
	const real = await realpath(folder).catch(() => {
		const gone = l10n.t(
			"The folder of this session no longer exists: {0}. Restore it, or ask in a new chat.",
			folder,
		);
		throw new Failure("NO_FOLDER", gone);
	});
	const allowed = state.get<readonly string[]>(KEY, []);
	if (allowed.includes(real) || (await isInWorkspace(real))) return;
	const message = l10n.t(
		"This session of the Copilot CLI works in a folder that is not part of this workspace.",
	);
	const detail = `${real}\n\n${l10n.t("The CLI will read files, change files, and run commands there.")}`;
	const refused = l10n.t("The session was not resumed, because its folder is not part of this workspace.");
	if (!(await isConfirmed(message, l10n.t("Continue There"), detail)))
		throw new Failure("UNTRUSTED", refused);
	await state.update(KEY, [...allowed, real]);
}

/** Returns the URI whose rules apply to a folder: the workspace, or a folder outside of the workspace. */
export async function rulesPlace(folder: string): Promise<string> {
	return (await isInWorkspace(folder)) ? workspaceUri() : vscode.Uri.file(folder).toString();
}

/** Compares real paths, because a link inside the workspace may lead out of the workspace. */
async function isInWorkspace(folder: string): Promise<boolean> {
	const real = await realpath(folder).catch(() => folder);
	const roots = await Promise.all(folderPaths().map((root) => realpath(root).catch(() => root)));
	return roots.some((root) => isInside(real, root));
}
