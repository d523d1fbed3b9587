import * as z from "zod/mini";
import { READING_TOOLS } from "../../core/agent/ourTools.ts";
import { SEARCHED_INDEXES } from "../../core/knowledge/knowledge.ts";
import { HTTP_METHODS } from "../../core/plugin/plugin.ts";

const MAX_TEXT = 4000;
const MAX_QUERY = 20_000;

export const count = (max: number) => z.int().check(z.gte(1), z.lte(max));
export const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TEXT));
export const texts = z.array(text).check(z.maxLength(100));

export function maybe<Type extends z.ZodMiniType>(type: Type, words: string) {
	return z.optional(type).check(z.describe(words));
}

const template = (words: string) =>
	z.string().check(z.minLength(1), z.maxLength(MAX_QUERY), z.describe(words));
const resource = (words: string) => maybe(text, words);
const timeout = (most: number) => maybe(count(most), "Seconds that it may take; 30 if left out.");

const PLACE = "{{name}} stands for a parameter.";
const PLACES = "{{name}} stands for a parameter; alone in a text, for its value as it is.";

const sparql = z.strictObject({
	kind: z.literal("sparql"),
	query: template(
		"SPARQL 1.1 SELECT, ASK, CONSTRUCT or DESCRIBE. A variable named as a parameter is bound to it.",
	),
	limit: maybe(count(1000), "Rows or statements at most; 100 if left out."),
	resource: resource("A SPARQL endpoint among config.resources, which is asked instead of the knowledge."),
});

const retrieval = z.strictObject({
	kind: z.literal("retrieval"),
	query: text.check(z.describe(`What is searched for; ${PLACE}`)),
	types: maybe(texts, "Only resources of these classes."),
	sources: maybe(texts, "Only files whose path begins so."),
	index: maybe(z.enum(SEARCHED_INDEXES), "What the documents say, what they are good for, or both."),
	limit: maybe(count(30), "Passages at most; 8 if left out."),
	threshold: maybe(z.number().check(z.gte(0), z.lte(1)), "Only passages with this score or more."),
	maxTokens: maybe(count(1_000_000), "Only the best passages that take so many tokens together."),
	resource: resource("An index among config.resources, which says sources and types where this does not."),
});

const prompt = z.strictObject({
	kind: z.literal("prompt"),
	template: template(`What the model is asked; ${PLACE} info.prompt says what it is.`),
	tools: maybe(z.array(z.enum(READING_TOOLS)), "What it may call; all of these if left out."),
	resource: resource("A model among config.resources; any that there is if left out."),
});

const vscode = z.strictObject({
	kind: z.literal("vscode"),
	command: text.check(z.describe("The id of a command of VS Code, as keyboard shortcuts name it.")),
	arguments: maybe(z.array(z.unknown()).check(z.maxLength(20)), PLACES),
});

const tool = z.strictObject({
	kind: z.literal("tool"),
	tool: text.check(z.describe("A tool that VS Code knows: of an MCP server, or of another extension.")),
	resource: resource("An mcp server among config.resources: then tool is what the server calls it."),
	input: maybe(z.record(z.string(), z.unknown()), PLACES),
});

const asked = template(`What it is asked; ${PLACE}`);

const agent = z.strictObject({
	kind: z.literal("agent"),
	agent: text.check(z.describe("The name of a custom agent.")),
	template: asked,
});

const chain = z.strictObject({
	kind: z.literal("chain"),
	chain: text.check(z.describe("The name of a saved chain.")),
	template: asked,
});

const http = z.strictObject({
	kind: z.literal("http"),
	method: maybe(z.enum(HTTP_METHODS), "GET if left out."),
	url: text.check(z.describe(`Its host is one of the plugin's hosts; in the path and behind it ${PLACE}`)),
	resource: resource("An http client among config.resources: then url is a path that begins with /."),
	headers: maybe(z.record(z.string(), text), PLACE),
	body: maybe(z.unknown(), `Sent as JSON. ${PLACES}`),
	timeout: timeout(120),
});

const words = z.array(z.string().check(z.maxLength(MAX_TEXT))).check(z.maxLength(100));

const program = z.strictObject({
	kind: z.literal("program"),
	program: text.check(z.describe("A name on the PATH, or a path beside this file that begins with ./")),
	arguments: maybe(words, `Each is one argument, whatever is in it; ${PLACE}`),
	input: z.optional(template(`For its standard input; ${PLACE}`)),
	resource: resource("Files among config.resources: the folder that it works in."),
	timeout: timeout(600),
});

export const executor = z.discriminatedUnion("kind", [
	sparql,
	retrieval,
	prompt,
	vscode,
	tool,
	agent,
	chain,
	http,
	program,
]);

export type WrittenExecutor = z.infer<typeof executor>;
export const EXECUTOR_KINDS = executor.def.options.map(({ shape }) => shape.kind.def.values[0] ?? "");

/** Short forms of executors: each word implies a kind, and its text fills a field of that kind. */
export const SHORT_FORMS = {
	query: { kind: "sparql", field: "query" },
	search: { kind: "retrieval", field: "query" },
	prompt: { kind: "prompt", field: "template" },
	http: { kind: "http", field: "url" },
	run: { kind: "program", field: "program" },
} as const;

export const shortSchemas = {
	query: z.optional(z.union([sparql.shape.query, z.omit(sparql, { kind: true })])),
	search: z.optional(z.union([retrieval.shape.query, z.omit(retrieval, { kind: true })])),
	prompt: z.optional(z.union([prompt.shape.template, z.omit(prompt, { kind: true })])),
	http: z.optional(
		z.union([text.check(z.describe("The address that is read with GET.")), z.omit(http, { kind: true })]),
	),
	run: z.optional(
		z.union([
			text.check(z.describe("The program and its arguments, divided by spaces; a list if one has spaces.")),
			words,
			z.omit(program, { kind: true }),
		]),
	),
};

const named = { id: maybe(text, "A name that no other has."), name: maybe(text, "A name for people.") };
const address = {
	url: text.check(z.describe("The address; of http the one that paths are below.")),
	headers: maybe(z.record(z.string(), text), "Sent with each request."),
};
const health = maybe(text, "A path that is asked before the first use.");
const folder = text.check(z.describe("A folder below the one that is worked in."));
const sources = maybe(texts, "How paths begin in it.");
const types = maybe(texts, "Classes of the resources in it.");
const model = text.check(z.describe("Its name, its family or its id."));

export const resourceSchema = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("http"), ...named, config: z.strictObject({ ...address, health }) }),
	z.strictObject({ type: z.literal("sparql"), ...named, config: z.strictObject(address) }),
	z.strictObject({ type: z.literal("files"), ...named, config: z.strictObject({ folder }) }),
	z.strictObject({
		type: z.literal("index"),
		...named,
		config: z.optional(z.strictObject({ sources, types })),
	}),
	z.strictObject({ type: z.literal("mcp"), ...named, config: z.strictObject(address) }),
	z.strictObject({ type: z.literal("model"), ...named, config: z.strictObject({ name: model }) }),
]);
