import * as z from "zod";

const text = z.string().trim().min(1, "is empty");
const texts = z.union([text, z.array(text).min(1, "is empty")]);
const count = z.int().min(0);
const atMost = z.strictObject({ max: count.describe("At most so many.") });

const traceSchema = z.strictObject({
	calls: texts.optional().describe("Tools that must be called."),
	callsNot: texts.optional().describe("Tools that must not be called."),
	callCount: z
		.strictObject({ min: count.optional(), max: count.optional() })
		.optional()
		.describe("How many calls of tools there may be."),
	rounds: atMost.optional().describe("Requests to the language model."),
	milliseconds: atMost.optional().describe("From the question to the end of the answer."),
	tokens: atMost.optional().describe("Tokens that the language model read and wrote."),
});

const row = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const expected = {
	cites: texts.optional().describe("Places that the answer must cite: path, or path:lines."),
	citesNot: texts.optional().describe("Places that the answer must not cite."),
	says: texts.optional().describe("Words that must be in the answer, in any case."),
	saysNot: texts.optional().describe("Words that must not be in the answer."),
	finds: texts.optional().describe("IRIs, names or places that must be among what is found."),
	counts: count.optional().describe("How many things the graph must count."),
	rows: z
		.union([count, row, z.array(row).min(1)])
		.optional()
		.describe("How many rows the query must give, or rows that it must give."),
	trace: traceSchema.optional().describe("What the way to the answer may take."),
	criteria: texts.optional().describe("In words; judged only where a language model is configured."),
};

export const testSchema = z
	.strictObject({
		name: text.optional().describe("Left out, it is the question."),
		ask: text.optional().describe("A question to the agent."),
		search: text.optional().describe("A search in the knowledge base; needs no language model."),
		query: text.optional().describe("A SPARQL query; needs no language model."),
		...expected,
	})
	.check(({ value, issues }) => {
		const asked = [value.ask, value.search, value.query].filter((one) => one !== undefined);
		const fail = (message: string, ...path: string[]) =>
			issues.push({ code: "custom", message, input: value, path });
		if (asked.length !== 1) fail("A test has exactly one of ask, search, and query.");
		else if (value.rows !== undefined && value.query === undefined)
			fail("Only a query returns rows: write query instead.", "rows");
		else if (!EXPECTED.some((name) => value[name] !== undefined))
			fail("Specify what is expected, for example with cites, says, or rows.");
	});

const EXPECTED = Object.keys(expected) as (keyof typeof expected)[];

export const fileSchema = z.strictObject({
	tests: z.array(testSchema).describe("Questions to the knowledge base, and what must come of them."),
});

export type WrittenTest = z.infer<typeof testSchema>;
