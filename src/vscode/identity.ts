import * as vscode from "vscode";
import { messageOf } from "../base/failure.ts";
import type { Person } from "../core/session/memory.ts";
import { SECTION, setting } from "./settings.ts";

const GITHUB = "github";

/** The user's GitHub account, if the user agreed to its use. */
export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(log: vscode.LogOutputChannel) {
	let person: Person | undefined;
	/** Requests no scopes, because the token is not used. */
	const read = async (): Promise<Person | undefined> => {
		if (!setting("sessions.useGitHubAccount")) return undefined;
		try {
			const session = await vscode.authentication.getSession(GITHUB, [], { silent: true });
			return session && { source: GITHUB, id: session.account.id, label: session.account.label };
		} catch (thrown) {
			log.warn(`VS Code does not tell the GitHub account: ${messageOf(thrown)}`);
			return undefined;
		}
	};
	return {
		/** The account at the last `look`; `undefined` if the user has not agreed to its use or not signed in. */
		person: () => person,
		/** Reads the account again, without asking the user. Resolves to whether the account has changed. */
		look: async () => {
			const before = person;
			person = await read();
			return person?.id !== before?.id;
		},
		onDidChange: (listener: () => unknown) =>
			vscode.authentication.onDidChangeSessions(({ provider }) => {
				if (provider.id === GITHUB && setting("sessions.useGitHubAccount")) listener();
			}),
	};
}

export async function agreeToGitHub(): Promise<void> {
	const { account } = await vscode.authentication.getSession(GITHUB, [], { createIfNone: true });
	await vscode.workspace
		.getConfiguration(SECTION)
		.update("sessions.useGitHubAccount", true, vscode.ConfigurationTarget.Global);
	void vscode.window.showInformationMessage(
		vscode.l10n.t(
			"Copilot-LD: new sessions now belong to the GitHub account {0}. To undo this, use the setting copilot-LD.sessions.useGitHubAccount.",
			account.label,
		),
	);
}
