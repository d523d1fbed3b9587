import { wordList } from "../base/words/wordList.ts";
import { CLI_TOOLS } from "../core/agent/cliTools.ts";

export interface AgentField {
	readonly name: string;
	/** One or two sentences for the user. */
	readonly description: string;
	readonly example: string;
}

/** The fields of the Copilot CLI, of VS Code, and our own. */
export const AGENT_FIELDS: readonly AgentField[] = [
	{
		name: "name",
		description: "The name of the agent. If left out, the name of the file is used.",
		example: "reviewer",
	},
	{
		name: "description",
		description: "What the agent does and when to choose it. Without it, nobody can choose the agent.",
		example: "Reviews code for mistakes",
	},
	{
		name: "keywords",
		description:
			"Words that appear in tasks for this agent. Copilot-LD selects agents by them; other programs ignore them.",
		example: "[review, quality]",
	},
	{
		name: "tools",
		description: "The tools that the agent may use, as a list. If left out, it may use all of them.",
		example: "[read, search]",
	},
	{
		name: "model",
		description: "The model that the agent uses, or a list of models; the first one is used.",
		example: "",
	},
	{
		name: "mcp-servers",
		description:
			"MCP servers that the Copilot CLI starts for the agent. You are asked first about what they run.",
		example: "",
	},
	{
		name: "handoffs",
		description: "Agents that it suggests to continue with, each with an agent, a label, and a prompt.",
		example: "",
	},
	{
		name: "argument-hint",
		description: "A hint that is shown in the input box of the chat.",
		example: "What to review",
	},
	{
		name: "infer",
		description:
			"Whether other agents and the automatic selection may choose it. VS Code has a newer field for this.",
		example: "false",
	},
	{ name: "user-invocable", description: "Whether you can choose it.", example: "false" },
	{
		name: "disable-model-invocation",
		description: "Whether other agents and the automatic selection must not choose it.",
		example: "true",
	},
	{
		name: "target",
		description: "Where it runs: vscode or github-copilot. If left out, it runs anywhere.",
		example: "github-copilot",
	},
];

/** What others read, and what says nothing to us. */
export const OTHER_FIELDS: readonly string[] = wordList(`
	agents skills hooks metadata license compatibility version color context reasoning-effort effort
	disallowedTools permissionMode maxTurns memory background isolation mcpServers mode agent hidden
`);

/** Other names of its tools that the Copilot CLI 1.0.102 understood in agents' files. */
const CLI_ALIASES: readonly string[] = wordList(`
	* read search execute shell agent web todo write custom-agent tool_search_tool Bash BashOutput KillShell
	Read Write Edit MultiEdit NotebookRead NotebookEdit Grep Glob LS Task Agent Skill WebSearch WebFetch
	TodoWrite AskUserQuestion ExitPlanMode
`);

/** The tools and tool sets of VS Code 1.139, and their former names. */
const VSCODE_TOOLS: readonly string[] = wordList(`
	vscode browser new runCommands runTasks runNotebooks runSubagent openSimpleBrowser codebase
	executionSubagent searchSubagent exploreSubagent symbols vscodeAPI fileSearch textSearch applyPatch
	readFile viewImage listDirectory problems changes newWorkspace installExtension runCommand
	createJupyterNotebook newJupyterNotebook insertEdit createFile createDirectory replaceString
	multiReplaceString editNotebook runNotebookCell usages getNotebookSummary readNotebookCellOutput
	fetch findTestFiles githubRepo githubTextSearch switchAgent memory resolveMemoryFileUri editFiles
	sessionStoreSql artifacts rename artifactRules askQuestions createAndRunTask extensions
	getTaskOutput getTerminalOutput killTerminal renderMermaidDiagram reviewPlan runTask runTests
	sendToTerminal todos terminalLastCommand terminalSelection testFailure toolSearch runInTerminal
	terminal think searchResults
`);

/** Names of tools that an agent's file may contain, besides those of MCP servers and of other extensions. */
export const AGENT_TOOLS: ReadonlySet<string> = new Set([
	...CLI_TOOLS.keys(),
	...CLI_ALIASES,
	...VSCODE_TOOLS,
]);
