export interface CliTool {
	/** `search` tools choose the files that they read; `own` tools reach only the CLI's session. Rules can name a kind. */
	readonly kind: "execute" | "edit" | "read" | "search" | "fetch" | "own" | "other";
	/** Name of the input field with the command, path or URL; absent if the tool has no such field. */
	readonly field?: "command" | "path" | "url" | "input";
	readonly startsAgents?: true;
	/** Whether permission rules may name the tool itself in addition to its kind. */
	readonly hasRules?: true;
}

const RUN: CliTool = { kind: "execute", field: "command" };
const TYPE: CliTool = { kind: "execute", field: "input", hasRules: true };
const EDIT: CliTool = { kind: "edit", field: "path" };
const SEARCH: CliTool = { kind: "search", field: "path" };
const OWN: CliTool = { kind: "own" };

const OWN_TOOLS = `
	read_agent list_agents sql skill report_intent update_todo think task_complete exit_plan_mode
	ask_user tool_search fetch_copilot_cli_documentation read_bash list_bash stop_bash read_powershell
	list_powershell stop_powershell
`;

/** Tools of the Copilot CLI 1.0.102 by name. A test compares them with the installed CLI. */
export const CLI_TOOLS: ReadonlyMap<string, CliTool> = new Map([
	...Object.entries<CliTool>({
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
	}),
	...OWN_TOOLS.trim()
		.split(/\s+/)
		.map((name) => [name, OWN] as const),
]);

export function cliToolsWith(fits: (tool: CliTool) => boolean): string[] {
	return [...CLI_TOOLS].flatMap(([name, tool]) => (fits(tool) ? [name] : []));
}
