import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agentsAt } from "../../../src/core/agent/agentNames.ts";
import { shareStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import { selectAgents } from "../../../src/orchestrator/select/selectAgents.ts";
import { partsOfTask } from "../../../src/orchestrator/select/taskParts.ts";
import { createAgentFits } from "../../../src/worker/agents/agentFits.ts";
import { readAgent } from "../../../src/worker/agents/readAgent.ts";
import { never } from "../workspace.ts";
import { registryOf } from "./agentWorkspace.ts";

const data = process.env["COPILOT_LD_DATA"] ?? join(import.meta.dirname, "../../../../shared/data");
const folder = join(data, "agents");
const skip = !existsSync(folder) && `There is no folder ${folder}.`;

const linesOf = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");

/** Chooses among the published agents, or among those with these file names. */
function choosing(names?: readonly string[]) {
	const agents = readdirSync(join(folder, "agents")).flatMap((file) => {
		const text = readFileSync(join(folder, "agents", file), "utf8");
		const id = file.replace(".agent.md", "");
		const source = { uri: `file:///${file}`, level: "user", hash: id } as const;
		const { definition } = readAgent({ source, text, id });
		return definition && (names?.includes(id) ?? true) ? definition : [];
	});
	const files = { registry: async () => ({ agents, problems: [] }) };
	const { fits } = createAgentFits(files, () => shareStaticEmbedder("media/model"));
	return async (task: string) => {
		const { chosen, rationale } = selectAgents(await fits([task, ...partsOfTask(task)], never), agents, task);
		return { chosen: chosen[0]?.agent.source.hash ?? null, rationale };
	};
}

test("of 224 published agents, 219 are found by name, and the others have an error", { skip }, async (t) => {
	const files = readdirSync(join(folder, "agents")).map((file) => {
		return [`.github/agents/${file}`, readFileSync(join(folder, "agents", file), "utf8")] as const;
	});
	const { agents, problems } = await registryOf(t, Object.fromEntries(files));
	const skipped = new Set(problems.filter(({ severity }) => severity === "error").map(({ uri }) => uri));
	assert.deepEqual([agents.length, agents.length + skipped.size], [219, 224]);
	assert.ok(agents.every(({ name }) => agentsAt(name, agents).length === 1));
});

for (const [what, names, least] of [
	["forty agents", "forty.txt", 14],
	["all agents", undefined, 13],
] as const)
	test(`${least} of 15 tasks get the right agent of ${what}, and five other tasks no agent`, {
		skip,
	}, async () => {
		const choose = choosing(names && linesOf(names));
		const tasks = linesOf("tasks.jsonl").map((line) => JSON.parse(line));
		const choices = await Promise.all(tasks.map(({ task }) => choose(task)));
		const chosen = choices.map((choice) => choice.chosen);
		const right = tasks.filter(({ agent }, index) => agent !== null && chosen[index] === agent);
		assert.ok(right.length >= least, `${right.length}: ${chosen}`);
		assert.deepEqual(chosen.slice(15), [null, null, null, null, null]);
	});

const GERMAN: readonly (readonly [task: string, agent: string | null])[] = [
	["Nutzer von Screenreadern können den Datepicker nicht bedienen; beachte WCAG 2.2", "accessibility"],
	["Der CloudWatch-Alarm HighLatency hat um 03:12 ausgelöst; finde die Ursache", "aws-incident-triage"],
	["Räume den alten C#-Code in src/Billing auf und benutze neuere Sprachmittel", "csharp-dotnet-janitor"],
	["Kündige unser neues Release auf LinkedIn an", "linkedin-post-writer"],
	["Beschreibe die Anforderungen an ein Treueprogramm mit User Stories und Akzeptanzkriterien", "prd"],
	["Schreibe Terraform für einen S3-Bucket und eine Lambda", "terraform-aws-implement"],
	["Dokumentiere die Entscheidung für Postgres als ADR", "adr-generator"],
	["Schreibe eine KQL-Abfrage, die fehlgeschlagene Anfragen pro Stunde zählt", null],
	["Was gibt es heute zum Abendessen?", null],
	["Finde ein Rezept für Gulasch", null],
	["Reise nach Azure an der Küste planen", null],
];

test("a German task gets an English agent only if the task has terms of the agent", { skip }, async () => {
	const choose = choosing(linesOf("forty.txt"));
	for (const [task, agent] of GERMAN) {
		const { chosen, rationale } = await choose(task);
		assert.equal(chosen, agent, task);
		if (task.includes("KQL")) assert.match(rationale, /in another language than the task/);
	}
});
