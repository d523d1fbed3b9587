import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "../../base/values.ts";
import type { AgentEvent, PlanStep } from "../../core/agent/agentEvent.ts";
import { exists } from "../../loads/folders.ts";

const STATUS: Readonly<Record<string, PlanStep["status"]>> = {
	pending: "pending",
	in_progress: "running",
	done: "done",
	blocked: "blocked",
};

/** The CLI says only that it has a plan, not what is in it; the files that it writes do. */
export function createPlanView(folder: string, show: (event: AgentEvent) => void) {
	let shown: string | undefined;
	let isNextPlanned = false;
	/** What was planned before is known. */
	let looking: Promise<void> = readPlan(folder).then((plan) => {
		shown = JSON.stringify(plan);
	});
	const lookOnce = async () => {
		isNextPlanned = false;
		const plan = await readPlan(folder);
		const text = JSON.stringify(plan);
		if (!plan || text === shown) return;
		shown = text;
		show({ kind: "plan", ...plan });
	};
	/** A look that has begun may miss a later change; one still waiting will not. */
	const look = () => {
		if (isNextPlanned) return;
		isNextPlanned = true;
		looking = looking.then(lookOnce);
	};
	const stop = watchPlan(folder, look);
	const seen = () => {
		look();
		return looking;
	};
	return { look /** Looks once more, and resolves when every change so far is shown. */, seen, stop };
}

/** If the folder cannot be watched, the plan is read again whenever a call ends. */
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

/** The plan from the CLI's files `plan.md` and `session.db` (table `todos`): it sends an empty one. `undefined` if there is none. */
async function readPlan(folder: string) {
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
