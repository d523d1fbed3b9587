import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { TestContext } from "node:test";
import type { CallToolResult, ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js";
import type { PermissionRule } from "../../src/core/permission/permission.ts";
import { createPermissions } from "../../src/permissions/openPermissions.ts";
import { called, type ScriptedReply, startModelServer } from "../acp/scriptedModelServer.ts";
import { makeFolder } from "../support/folder.ts";
import { type Files, makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE, startMcp, textOf } from "./mcpProgram.ts";

export const agentFile = (name: string, fields = "") =>
	`---\nname: ${name}\ndescription: Does what a ${name} does\n${fields}---\nYou are PERSONA-${name}.`;

export const FILES: Files = {
	...LIGHTHOUSE,
	".github/agents/reader.md": agentFile("reader", "keywords: [lighthouse]\n"),
	".github/agents/writer.md": agentFile("writer"),
};

type Rule = Pick<PermissionRule, "tool" | "argument"> & Partial<Pick<PermissionRule, "channel" | "effect">>;

export const MAY_RUN: readonly Rule[] = [
	{ channel: "mcp", tool: "run_agent" },
	{ channel: "mcp", tool: "run_with_orchestrator" },
];

interface Scene {
	readonly files?: Files;
	readonly rules?: readonly Rule[];
	readonly args?: readonly string[];
	readonly elicit?: (asked: ElicitRequestFormParams) => boolean;
	/** Replies of each agent, in order. */
	readonly script?: Readonly<Record<string, ScriptedReply[]>>;
}

/** Creates a workspace with rules, the real CLI on the PATH, and a scripted model. */
export async function makeScene(t: TestContext, { files = {}, rules = MAY_RUN, ...scene }: Scene) {
	const model = await startModelServer(t, ({ whole }) => {
		const name = Object.keys(scene.script ?? {}).find((one) => whole.includes(`PERSONA-${one}`)) ?? "";
		return scene.script?.[name]?.shift() ?? { text: [`${name} is done.`] };
	});
	const workspace = await makeWorkspace(t, { ...FILES, ...files });
	const folder = join(workspace.dataFolder, "permissions");
	const permissions = createPermissions({ folder, now: Date.now, managedRules: () => [], ignoreCase: false });
	for (const rule of rules) await permissions.add({ effect: "allow", scope: "always", ...rule });
	const home = await makeFolder(t);
	const homes = { HOME: home, COPILOT_HOME: join(home, "copilot") };
	const own = [dirname(process.execPath), resolve("node_modules/.bin")];
	const PATH = [...own, "/usr/bin", "/bin"].join(delimiter);
	const env = { ...model.env, ...homes, COPILOT_LD_MODEL_KEY: "sk-hidden", PATH };
	return { workspace, home, model, permissions, env };
}

export async function openScene(t: TestContext, scene: Scene = {}) {
	const made = await makeScene(t, scene);
	const { workspace, env } = made;
	const client = scene.elicit && { elicit: scene.elicit };
	const program = await startMcp(t, { ...workspace, env, ...client }, ...(scene.args ?? []));
	return { ...program, ...made, has: (name: string) => existsSync(workspace.path(name)) };
}

export const create = (path: string) => called("create", { path, file_text: "made" });
export const run = (name: string) => ({ agent: name, prompt: "Look after the lighthouse." });

export function dataOf(result: CallToolResult) {
	assert.ok(!result.isError, textOf(result));
	return (result.structuredContent as { data: Record<string, unknown> }).data;
}
