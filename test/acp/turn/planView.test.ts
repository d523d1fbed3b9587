import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createPlanView } from "../../../src/acp/turn/planView.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import { makeFolder } from "../realCli.ts";

type Plan = Extract<AgentEvent, { kind: "plan" }>;

test("a plan and its steps are shown while they change, without anybody telling of it", async (t) => {
	const folder = await makeFolder(t);
	await writeFile(join(folder, "plan.md"), "# Old\n");
	const shown: Plan[] = [];
	let check: () => void = () => undefined;
	const view = createPlanView(folder, (event) => {
		shown.push(event as Plan);
		check();
	});
	const until = (isMeant: (plan: Plan) => boolean) =>
		new Promise<void>((resolve) => {
			check = () => void (shown.some(isMeant) && resolve());
			check();
		});
	t.after(view.stop);
	await view.seen();
	assert.deepEqual(shown, [], "what was there before is not shown again");
	await writeFile(join(folder, "plan.md"), "# Plan\n");
	await until(({ text }) => text === "# Plan\n");
	const database = new DatabaseSync(join(folder, "session.db"));
	t.after(() => database.close());
	database.exec("CREATE TABLE todos (id TEXT, title TEXT, status TEXT)");
	database.exec("INSERT INTO todos VALUES ('a', 'Look', 'in_progress')");
	await until(({ steps }) => steps[0]?.status === "running");
	database.exec("UPDATE todos SET status = 'done'");
	await until(({ steps }) => steps[0]?.status === "done");
});
