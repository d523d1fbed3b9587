import * as z from "zod";
import { Failure } from "../../base/failure.ts";
import { OUR_TOOLS, type OurTool } from "../../core/agent/ourTools.ts";
import type { CallNature, Tool, ToolContext, ToolResult } from "../../core/agent/tool.ts";
import { issueWords } from "../../core/issueWords.ts";

interface Definition<Schema extends z.ZodObject> {
	readonly name: OurTool;
	readonly title: string;
	readonly summary: string;
	/** For the model: the purpose, when to use the tool and when not, and the result. */
	readonly description: string;
	readonly schema: Schema;
	readonly output?: z.ZodObject;
	announce(input: z.infer<Schema>): string;
	/**
	 * Omitted if rules cannot match any argument. A call with only a title changes something, and rules cannot match
	 * its arguments.
	 */
	permission?(input: z.infer<Schema>): { readonly title: string } | CallNature | Promise<CallNature>;
	run(input: z.infer<Schema>, context: ToolContext): Promise<string | ToolResult>;
}

/** Creates a tool. Models see its schema, and every input is checked against the schema. */
export function defineTool<Schema extends z.ZodObject>(definition: Definition<Schema>): Tool {
	const { name, title, summary, description, schema, output, permission } = definition;
	const check = (input: unknown) => {
		const { data, error } = schema.safeParse(input ?? {}, { reportInput: true });
		if (!error) return data;
		const words = error.issues.map((issue) => issueWords(issue, "The input"));
		throw new Failure("BAD_INPUT", `Wrong input. ${words.join(" ")}`);
	};
	return {
		name,
		title,
		summary,
		description,
		inputSchema: jsonSchemaOf(schema),
		...(output && { outputSchema: jsonSchemaOf(output) }),
		isReadOnly: OUR_TOOLS[name].isReadOnly,
		announce: (input) => definition.announce(check(input)),
		...(permission && {
			permission: (input) => {
				const nature = permission(check(input));
				if (nature instanceof Promise || "mutates" in nature) return nature;
				return { mutates: true, arguments: [], title: nature.title };
			},
		}),
		run: async (input, context) => {
			const result = await definition.run(check(input), context);
			return typeof result === "string" ? { text: result } : result;
		},
	};
}

/** Omits `$schema`, which VS Code and model providers reject or ignore. */
function jsonSchemaOf(schema: z.ZodObject): object {
	const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
	return rest;
}

export function optional<Type extends z.ZodType>(type: Type, about: string): z.ZodOptional<Type> {
	return type.optional().describe(about);
}

export const lines = z.object({
	start: z.number().describe("From 1; of a sheet, a row."),
	end: z.number().describe("The last one, included."),
	part: optional(z.string(), "The page, slide or sheet that they are counted in: p12, s7, Sheet1."),
	columns: optional(z.string(), "Of a sheet, as A:F."),
});
