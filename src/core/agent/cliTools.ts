export interface CliTool {
	/**
	 * What a call does: `search` finds files to read by itself, and `own` reaches only the CLI's own session, its agents,
	 * and shells that were allowed. Rules and files of agents use these kinds, too.
	 */
	readonly kind: "execute" | "edit" | "read" | "search" | "fetch" | "own" | "other";
	/** The field of the input with what is run, read, changed or fetched; absent if no field says it. */
	readonly field?: "command" | "path" | "url" | "input";
	readonly startsAgents?: true;
	/** Rules may name the tool itself besides its kind. */
	readonly hasRules?: true;
}

const RUN: CliTool = { kind: "execute", field: "command" };
const TYPE: CliTool = { kind: "execute", field: "input", hasRules: true };
const EDIT: CliTool = { kind: "edit", field: "path" };
const SEARCH: CliTool = { kind: "search", field: "path" };
const OWN: CliTool = { kind: "own" };

/** The tools of the CLI 1.0.102 by their names. A test compares them with those of the installed CLI. */
export const CLI_TOOLS: ReadonlyMap<string, CliTool> = new Map(
	Object.entries({
		bash: RUN,
		powershell: RUN,
		write_bash: TYPE,
		write_powershell: TYPE,
		edit: EDIT,
		create: EDIT,
		apply_patch: { kind: "edit" },
		str_replace_editor: { ...EDIT, hasRules: true },
		view: { kind: "read", field: "path" },
		grep: SEARCH,
		glob: SEARCH,
		rg: SEARCH,
		web_fetch: { kind: "fetch", field: "url" },
		web_search: { kind: "fetch", hasRules: true },
		task: { kind: "own", startsAgents: true },
		write_agent: { kind: "other", startsAgents: true },
		store_memory: { kind: "other" },
		read_agent: OWN,
		list_agents: OWN,
		sql: OWN,
		skill: OWN,
		report_intent: OWN,
		update_todo: OWN,
		think: OWN,
		task_complete: OWN,
		exit_plan_mode: OWN,
		ask_user: OWN,
		tool_search: OWN,
		fetch_copilot_cli_documentation: OWN,
		read_bash: OWN,
		list_bash: OWN,
		stop_bash: OWN,
		read_powershell: OWN,
		list_powershell: OWN,
		stop_powershell: OWN,
	} satisfies Record<string, CliTool>),
);

export function cliToolsWith(fits: (tool: CliTool) => boolean): string[] {
	return [...CLI_TOOLS].flatMap(([name, tool]) => (fits(tool) ? [name] : []));
}
