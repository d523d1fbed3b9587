import { l10n } from "vscode";

/** How the MCP program is started. */
export interface McpLaunch {
	/** Absolute path of the program, which Node runs. */
	readonly program: string;
	readonly args: readonly string[];
	/** Variables that it reads secrets from, as far as there are any. */
	readonly variables: readonly SecretVariable[];
}

interface SecretVariable {
	readonly name: string;
	/** What it holds, for a person. */
	readonly description: string;
}

/** A client that reads a configuration file. */
export interface McpConfigurationFormat {
	readonly id: string;
	readonly label: string;
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
		// VS Code asks the person once, and keeps the answers.
		configure: (launch) => ({
			...(launch.variables.length > 0 && { inputs: launch.variables.map(toInput) }),
			servers: { [NAME]: { type: "stdio", ...commandOf(launch, ({ name }) => `input:${name}`) } },
		}),
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
		file: l10n.t("claude_desktop_config.json, or .mcp.json for Claude Code"),
		configure: (launch) => ({ mcpServers: { [NAME]: commandOf(launch) } }),
	},
];

/** Secrets stand as references, which the client fills in: without a prefix, from its own environment. */
function commandOf({ program, args, variables }: McpLaunch, referTo = nameOf) {
	const env = Object.fromEntries(variables.map((variable) => [variable.name, `\${${referTo(variable)}}`]));
	return { command: "node", args: [program, ...args], ...(variables.length > 0 && { env }) };
}

function nameOf({ name }: SecretVariable): string {
	return name;
}

function toInput({ name: id, description }: SecretVariable) {
	return { id, type: "promptString", description, password: true };
}
