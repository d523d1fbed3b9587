import { readFileSync } from "node:fs";
import type { Tool } from "../src/core/agent/tool.ts";
import { optionRows } from "../src/mcp/arguments/help.ts";

interface Schema {
	readonly type?: string;
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
}

const CACHES = "`~/.cache/copilot-ld`, `~/Library/Caches/copilot-ld` or `%LOCALAPPDATA%\\copilot-ld`";

/** `docs/mcp.md` with tables made from the program's options and tools. */
export function mcpDocs(tools: readonly Tool[]): string {
	const options = optionRows(CACHES).map(([written, text]) => [`\`${written}\``, text]);
	const rows = tools.map(({ name, inputSchema, outputSchema = {} }) => [
		`\`${name}\``,
		namesIn(inputSchema, 1),
		namesIn(outputSchema, 2),
	]);
	const text = readFileSync("docs/mcp.md", "utf8");
	const withOptions = replaced(text, "options", [["option", ""], ...options]);
	return replaced(withOptions, "tools", [["tool", "input", "`structuredContent`"], ...rows]);
}

/** Names and types of the properties, with a question mark if optional. */
function namesIn({ properties = {}, required = [] }: Schema, depth: number): string {
	const names = Object.entries(properties).map(([name, schema]) => {
		const inner = depth > 1 ? namesIn(schema.items ?? schema, depth - 1) : "";
		return `\`${name}${required.includes(name) ? "" : "?"}\`${inner && ` (${inner})`}`;
	});
	return names.join(", ");
}

function replaced(text: string, name: string, [head = [], ...rows]: readonly (readonly string[])[]): string {
	const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
	const [start, end] = [`<!-- ${name}: npm run manifest -->\n`, `\n<!-- end -->`];
	const at = text.indexOf(start) + start.length;
	return `${text.slice(0, at)}\n${lines.join("\n")}\n${text.slice(text.indexOf(end, at))}`;
}
