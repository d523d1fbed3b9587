/** How the MCP program is started. */
export interface McpLaunch {
	/** Absolute path of the program, which Node runs. */
	readonly program: string;
	readonly args: readonly string[];
}

/** A client that reads a configuration file. */
export interface McpConfigurationFormat {
	readonly id: string;
	/** Name of the client. */
	readonly label: string;
	/** The file that it reads. */
	readonly file: string;
	/** The content of that file, where there is no other server in it. */
	configure(launch: McpLaunch): object;
}

const NAME = "copilot-ld";

export const MCP_CONFIGURATION_FORMATS: readonly McpConfigurationFormat[] = [
	{
		id: "vscode",
		label: "VS Code",
		file: ".vscode/mcp.json",
		configure: (launch) => ({ servers: { [NAME]: { type: "stdio", ...commandOf(launch) } } }),
	},
	{
		id: "copilot-cli",
		label: "Copilot CLI",
		file: "~/.copilot/mcp-config.json",
		configure: (launch) => ({
			mcpServers: { [NAME]: { type: "local", ...commandOf(launch), tools: ["*"] } },
		}),
	},
	{
		id: "claude",
		label: "Claude",
		file: "claude_desktop_config.json, or .mcp.json for Claude Code",
		configure: (launch) => ({ mcpServers: { [NAME]: commandOf(launch) } }),
	},
];

function commandOf({ program, args }: McpLaunch): { command: string; args: readonly string[] } {
	return { command: "node", args: [program, ...args] };
}
