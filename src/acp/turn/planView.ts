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

/** Reads the CLI's plan from files, because the CLI's updates do not include the content of the plan. */
export function createPlanView(folder: string, show: (event: AgentEvent) => void) {
	let shown: string | undefined;
	let isNextPlanned = false;
	/** The first read finds the plan of earlier turns, which is not shown again. */
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
	/** Queues one more read, unless one is waiting already: a read in progress may miss a later change. */
	const look = () => {
		if (isNextPlanned) return;
		isNextPlanned = true;
		looking = looking.then(lookOnce);
	};
	const stop = watchPlan(folder, look);
	/** Reads the plan once more. Resolves when every change so far is shown. */
	const seen = () => {
		look();
		return looking;
	};
	return { look, seen, stop };
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
		// Another version may store steps differently, or the CLI may be writing, so the plan is shown without steps.
		return [];
	}
}

function toStep(row: unknown): PlanStep[] {
	const title = textOf(row, "title");
	const status = STATUS[textOf(row, "status") ?? ""] ?? "pending";
	return title === undefined ? [] : [{ title, status }];
}
