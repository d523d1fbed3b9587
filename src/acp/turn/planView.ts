import { existsSync, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { textOf } from "../../base/values.ts";
import type { AgentEvent, PlanStep } from "../../core/agent/agentEvent.ts";

const STATUS: Readonly<Record<string, PlanStep["status"]>> = {
	pending: "pending",
	in_progress: "running",
	done: "done",
	blocked: "blocked",
};

/** Reads the CLI's plan from files, because the CLI's updates do not include the content of the plan. */
export function createPlanView(folder: string, show: (event: AgentEvent) => void) {
	let shown: string | undefined;
	let isBegun = false;
	const look = coalesce(async () => {
		const plan = await readPlan(folder);
		const text = JSON.stringify(plan);
		// The first read finds the plan of earlier turns, which is not shown again.
		if (isBegun && plan && text !== shown) show({ kind: "plan", ...plan });
		shown = text ?? shown;
		isBegun = true;
	});
	void look();
	/** `look` reads the plan once more, and resolves when every change so far is shown. */
	return { look, stop: watchPlan(folder, () => void look()) };
}

/** If watching the files fails, the plan is still read whenever a call ends. */
function watchPlan(folder: string, onChange: () => void): () => void {
	try {
		const watcher = watch(folder, { persistent: false }, (_, name) => {
			if (name === null || /^(?:plan\.md|session\.db(?:-wal)?)$/.test(name)) onChange();
		});
		watcher.on("error", () => watcher.close());
		return () => watcher.close();
	} catch {
		return () => undefined;
	}
}

/** Reads the plan from `plan.md` and the table `todos` of `session.db`; `undefined` if there is no plan. */
async function readPlan(folder: string) {
	const text = await readFile(join(folder, "plan.md"), "utf8").catch(() => "");
	const steps = await readTodos(join(folder, "session.db"));
	return text.trim() === "" && steps.length === 0 ? undefined : { steps, text };
}

async function readTodos(file: string): Promise<PlanStep[]> {
	if (!existsSync(file)) return [];
	try {
		const { DatabaseSync } = await import("node:sqlite");
		const database = new DatabaseSync(file, { readOnly: true, timeout: 500 });
		try {
			return database.prepare("SELECT title, status FROM todos ORDER BY rowid").all().flatMap(toStep);
		} finally {
			database.close();
		}
	} catch {
		// Another version may store steps differently, or the CLI may be writing, so the plan is shown without steps.
		return [];
	}
}

function toStep(row: unknown): PlanStep[] {
	const title = textOf(row, "title");
	const status = STATUS[textOf(row, "status") ?? ""] ?? "pending";
	return title === undefined ? [] : [{ title, status }];
}
