import { wordList } from "../base/words/wordList.ts";
import { CLI_TOOLS } from "../core/agent/cliTools.ts";

/** Fields that the Copilot CLI, VS Code or our extension reads. */
export const AGENT_FIELDS: readonly string[] = wordList(`
	name description keywords tools model mcp-servers handoffs argument-hint infer user-invocable
	disable-model-invocation target
`);

/** Fields that other programs read. We ignore these fields. */
export const OTHER_FIELDS: readonly string[] = wordList(`
	agents skills hooks metadata license compatibility version color context reasoning-effort effort
	disallowedTools permissionMode maxTurns memory background isolation mcpServers mode agent hidden
`);

/** Aliases of tools that the Copilot CLI 1.0.102 accepts in agent files. */
const CLI_ALIASES: readonly string[] = wordList(`
	* read search execute shell agent web todo write custom-agent tool_search_tool Bash BashOutput KillShell
	Read Write Edit MultiEdit NotebookRead NotebookEdit Grep Glob LS Task Agent Skill WebSearch WebFetch
	TodoWrite AskUserQuestion ExitPlanMode
`);

/** Tools and tool sets of VS Code 1.139, including former names. */
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

export const AGENT_TOOLS: ReadonlySet<string> = new Set([
	...CLI_TOOLS.keys(),
	...CLI_ALIASES,
	...VSCODE_TOOLS,
]);
