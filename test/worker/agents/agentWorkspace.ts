import { mkdir } from "node:fs/promises";
import type { TestContext } from "node:test";
import { createAgentFiles } from "../../../src/worker/agents/agentFiles.ts";
import { type Files, makeWorkspace, never, type Workspace } from "../workspace.ts";

export const agent = (name: string, rest = "") =>
	`---\nname: ${name}\ndescription: Does ${name}\n${rest}---\nBe ${name}.\n`;

/** Opens agents of the folder `work` of a repository, and of a user whose home is `home`. */
export async function open(t: TestContext, files: Files) {
	const workspace = await makeWorkspace(t, { ".git/HEAD": "", ...files });
	await mkdir(workspace.path("work"), { recursive: true });
	return { workspace, agents: agentsIn(workspace) };
}

export function agentsIn(workspace: Workspace, folders = ["work"]) {
	return createAgentFiles({
		folders: folders.map((name) => ({ uri: workspace.uri(name), name })),
		homes: { copilot: workspace.path("home/.copilot"), person: workspace.path("home") },
	});
}

export async function registryOf(t: TestContext, files: Files) {
	const { agents } = await open(t, files);
	return agents.registry(never);
}
