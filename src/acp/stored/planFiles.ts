import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "../../base/values.ts";
import type { PlanStep } from "../../core/agent/agentEvent.ts";
import { exists } from "../../loads/folders.ts";

export interface Plan {
	readonly steps: readonly PlanStep[];
	/** Markdown, or empty. */
	readonly text: string;
}

const STATUS: Readonly<Record<string, PlanStep["status"]>> = {
	pending: "pending",
	in_progress: "running",
	done: "done",
	blocked: "blocked",
};

/**
 * The plan of a session: over the wire the CLI sends it empty, so it is read where the CLI keeps it, `plan.md` and
 * the table `todos` of `session.db`. `undefined` if there is none.
 */
export async function readPlan(folder: string): Promise<Plan | undefined> {
	const text = await readFile(join(folder, "plan.md"), "utf8").catch(() => "");
	const steps = await readTodos(join(folder, "session.db"));
	return text.trim() === "" && steps.length === 0 ? undefined : { steps, text };
}

async function readTodos(file: string): Promise<PlanStep[]> {
	if (!(await exists(file))) return [];
	try {
		const { DatabaseSync } = await import("node:sqlite");
		const database = new DatabaseSync(file, { readOnly: true, timeout: 500 });
		try {
			return database.prepare("SELECT title, status FROM todos ORDER BY rowid").all().flatMap(toStep);
		} finally {
			database.close();
		}
	} catch {
		// Another version may store it differently, or the CLI may be writing: show the plan without its steps.
		return [];
	}
}

function toStep(row: unknown): PlanStep[] {
	const title = textOf(row, "title");
	const status = STATUS[textOf(row, "status") ?? ""] ?? "pending";
	return title === undefined ? [] : [{ title, status }];
}
