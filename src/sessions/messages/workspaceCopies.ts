import type { Table } from "@lancedb/lancedb";
import { copyWorkspace, type WorkspaceCopy } from "./workspaceCopy.ts";

/** The messages of the workspace that is asked of, in memory: made for the second question to one version of the table. */
export interface WorkspaceCopies {
	/** What is searched in place of the table, if it is as new. */
	of(workspace: string): Promise<WorkspaceCopy | undefined>;
	/** The one that was searched last, if it is as new as the table. */
	latest(): Promise<WorkspaceCopy | undefined>;
	/** Resolves when none is being made: the table cannot be closed in the midst of that. */
	idle(): Promise<void>;
}

interface Asked {
	readonly workspace: string;
	readonly version: number;
	isBegun?: boolean;
	copy?: WorkspaceCopy | undefined;
}

export function createWorkspaceCopies(table: Table, dimensions: number): WorkspaceCopies {
	let asked: Asked | undefined;
	let making = Promise.resolve();
	const make = async (wanted: Asked) => {
		const copy = await copyWorkspace(table, wanted.workspace, dimensions);
		// What was written meanwhile may be in it, or not.
		if ((await table.version()) === wanted.version) wanted.copy = copy;
	};
	const isNew = async ({ version }: Asked) => version === (await table.version());
	return {
		of: async (workspace) => {
			if (asked?.workspace !== workspace || !(await isNew(asked))) {
				asked = { workspace, version: await table.version() };
				return undefined;
			}
			const wanted = asked;
			// Where the table cannot be read, the question to it tells so.
			if (!wanted.isBegun) making = making.then(() => make(wanted)).catch(() => undefined);
			wanted.isBegun = true;
			return wanted.copy;
		},
		latest: async () => (asked?.copy && (await isNew(asked)) ? asked.copy : undefined),
		idle: () => making,
	};
}
