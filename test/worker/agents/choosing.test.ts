import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shareStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import { selectAgents } from "../../../src/orchestrator/select/selectAgents.ts";
import { partsOfTask } from "../../../src/orchestrator/select/taskParts.ts";
import { createAgentFits } from "../../../src/worker/agents/agentFits.ts";
import { readAgent } from "../../../src/worker/agents/readAgent.ts";
import { never } from "./agentWorkspace.ts";

const data = process.env["COPILOT_LD_DATA"] ?? join(import.meta.dirname, "../../../../shared/data");
const folder = join(data, "agents");
const skip = !existsSync(folder) && `There is no folder ${folder}.`;

const linesOf = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");

/** The published agents, each with the name of its file. */
function readAgents() {
	return readdirSync(join(folder, "agents")).flatMap((file) => {
		const text = readFileSync(join(folder, "agents", file), "utf8");
		const id = file.replace(".agent.md", "");
		const { definition } = readAgent({
			source: { uri: `file:///${file}`, level: "user", hash: id },
			text,
			id,
		});
		return definition ?? [];
	});
}

for (const [what, isMeant, least] of [
	["forty", (id: string) => linesOf("forty.txt").includes(id), 14],
	["all", () => true, 13],
] as const)
	test(`of ${what} published agents, the right one is chosen for ${least} of 15 tasks, and nobody for five others`, {
		skip,
	}, async () => {
		const agents = readAgents().filter(({ source }) => isMeant(source.hash));
		const registry = async () => ({ agents, problems: [] });
		const { fits } = createAgentFits({ registry }, () => shareStaticEmbedder("media/model"));
		const tasks = linesOf("tasks.jsonl").map((line) => JSON.parse(line));
		const choices = tasks.map(async ({ task }) => {
			const { chosen } = selectAgents(await fits([task, ...partsOfTask(task)], never), agents);
			return chosen[0]?.agent.source.hash ?? null;
		});
		const chosen = await Promise.all(choices);
		const right = tasks.filter(({ agent }, index) => agent !== null && chosen[index] === agent);
		assert.ok(right.length >= least, `${right.length}: ${chosen}`);
		assert.deepEqual(chosen.slice(15), [null, null, null, null, null]);
	});
