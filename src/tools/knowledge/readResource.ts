import * as z from "zod";
import { Failure } from "../../base/failure.ts";
import type { Tool } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import { formatEvidence } from "../../core/knowledge/evidence.ts";
import type { Knowledge, ReadResult } from "../../core/knowledge/knowledge.ts";
import type { Channel } from "../../core/permission/permission.ts";
import { defineTool, lines, optional } from "../definition/defineTool.ts";

const DEFAULT_CHARACTERS = 8000;

const schema = z.object({
	target: z
		.string()
		.min(1)
		.describe(
			"What to read: a resource's IRI, a file's path as in citations, with lines or without (docs/a.md:10-40), or the exact label of a resource.",
		),
	maxCharacters: optional(
		z.int().min(200).max(40000),
		`Most characters to return; ${DEFAULT_CHARACTERS} if left out.`,
	),
});

const output = z.object({
	parts: z.array(z.object({ uri: z.string(), path: z.string(), lines, title: z.string(), text: z.string() })),
	links: z.array(z.string()).describe("What a resource is linked with, a line for each property."),
	totalCharacters: z.number(),
	truncated: z.boolean(),
});

export function createReadTool(knowledge: Knowledge, channel: Channel): Tool {
	return defineTool({
		name: "read_resource",
		title: "Read Resource",
		summary: "Read a resource or a file of the knowledge base.",
		description:
			"Reads one thing of the user's knowledge base whole: a resource by its IRI or exact label (everything that the documents say about it), or lines of an indexed file by its path. Returns the text after its citation [path:lines], what it links to and what links to it, and says what was cut. Use it after search_knowledge, to see more of what a passage belongs to.",
		schema,
		output,
		announce: ({ target }) => `Reading ${target}`,
		permission: ({ target }) => ({
			mutates: false,
			arguments: [{ kind: "path", value: target.replace(/:\d+(?:-\d+)?$/, "") }],
			title: `Reading ${target}`,
		}),
		run: async ({ target, maxCharacters = DEFAULT_CHARACTERS }, { signal }) => {
			const result = await knowledge.read({ target, maxCharacters, channel }, signal);
			const { suggestions: _, ...structured } = result;
			return { text: describe(result, target), structured };
		},
	});
}

function describe(result: ReadResult, target: string): string {
	const { parts, totalCharacters, truncated, links, suggestions } = result;
	if (parts.length === 0) {
		const nearest = suggestions.length > 0 ? ` Nearest: ${suggestions.join("; ")}.` : "";
		const words = `Nothing is known as “${target}”.${nearest} Or call search_knowledge first.`;
		throw new Failure("NOT_FOUND", words);
	}
	const shown = parts.reduce((sum, { text }) => sum + text.length, 0);
	const texts = parts.map(formatEvidence);
	if (links.length > 0)
		texts.push(`Links (read the other resource for its lines):\n${uncited(links.join("\n"))}`);
	if (truncated) texts.push(`(cut: ${shown} of ${totalCharacters} characters; ask for more, or for lines)`);
	return texts.join("\n\n");
}
