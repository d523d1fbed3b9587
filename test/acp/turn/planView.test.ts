import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createPlanView } from "../../../src/acp/turn/planView.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import { makeFolder } from "../realCli.ts";

type Plan = Extract<AgentEvent, { kind: "plan" }>;

/** A view of a folder's plan, and the plan that meets a wish, as soon as it is shown. */
function open(folder: string) {
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
	return { view, shown, until };
}

test("a plan and its steps are shown while they change, without anybody telling of it", async (t) => {
	const folder = await makeFolder(t);
	const { view, until } = open(folder);
	t.after(view.stop);
	await view.seen();
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

test("a plan that was there before is not shown again", async (t) => {
	const folder = await makeFolder(t);
	await writeFile(join(folder, "plan.md"), "# Old\n");
	const { view, shown } = open(folder);
	t.after(view.stop);
	await view.seen();
	assert.deepEqual(shown, []);
});

test("a folder that is not there yet is looked at all the same", async (t) => {
	const folder = join(await makeFolder(t), "later");
	const { view, shown } = open(folder);
	await view.seen();
	assert.deepEqual(shown, []);
	view.stop();
});
