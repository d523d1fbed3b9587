import { parseDocument } from "yaml";
import { mayUse } from "../../core/agent/allowedTools.ts";
import { READING_TOOLS } from "../../core/agent/ourTools.ts";
import { MCP_SERVER } from "../../core/agent/tool.ts";
import { splitFrontMatter } from "../../loads/frontMatter.ts";

/**
 * The file of an agent with the tools that a step may use. The CLI offers its model no others, so those of ours that
 * words for reading allow are named; without a limit, the file stays as it is.
 */
export function copyOfAgent(text: string, tools: readonly string[] | undefined): string {
	const split = splitFrontMatter(text.replace(/^\uFEFF/, ""));
	if (!split || tools === undefined) return text;
	const ours = READING_TOOLS.filter((tool) => mayUse(tools, tool)).map((tool) => `${MCP_SERVER}/${tool}`);
	const head = parseDocument(split.head);
	head.set("tools", [...new Set([...tools, ...ours])]);
	return `---\n${head}---\n${split.body}`;
}
