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
const timeout = (most: number) => maybe(count(most), "Time limit in seconds; 30 if omitted.");

const PLACE = "{{name}} is replaced by the value of a parameter.";
const PLACES =
	"{{name}} is replaced by the value of a parameter. A text with nothing else becomes the value, such as a number.";

const sparql = z.strictObject({
	kind: z.literal("sparql"),
	query: template(
		"SPARQL 1.1 SELECT, ASK, CONSTRUCT or DESCRIBE. A variable with the name of a parameter gets the value of that parameter.",
	),
	limit: maybe(count(1000), "Maximum number of rows or statements; 100 if omitted."),
	resource: resource(
		"Name of a SPARQL endpoint in config.resources that is queried instead of the knowledge base.",
	),
});

const retrieval = z.strictObject({
	kind: z.literal("retrieval"),
	query: text.check(z.describe(`The words to search for. ${PLACE}`)),
	types: maybe(texts, "Only resources of these classes."),
	sources: maybe(texts, "Only files whose path begins with one of these texts."),
	index: maybe(
		z.enum(SEARCHED_INDEXES),
		"content: what the documents say; descriptor: what documents are useful for; both: all of these.",
	),
	limit: maybe(count(30), "Maximum number of passages; 8 if omitted."),
	threshold: maybe(z.number().check(z.gte(0), z.lte(1)), "Only passages with this score or more."),
	maxTokens: maybe(count(1_000_000), "Only the best passages, up to this number of tokens in total."),
	resource: resource(
		"Name of an index in config.resources, whose sources and types apply if the command has none.",
	),
});

const prompt = z.strictObject({
	kind: z.literal("prompt"),
	template: template(`The question to the model. ${PLACE} info.prompt tells the model its role.`),
	tools: maybe(z.array(z.enum(READING_TOOLS)), "Tools that the model may call; all of these if omitted."),
	resource: resource("Name of a model in config.resources; any available model if omitted."),
});

const vscode = z.strictObject({
	kind: z.literal("vscode"),
	command: text.check(z.describe("The id of a command of VS Code, as in keyboard shortcuts.")),
	arguments: maybe(z.array(z.unknown()).check(z.maxLength(20)), PLACES),
});

const tool = z.strictObject({
	kind: z.literal("tool"),
	tool: text.check(z.describe("Name of a tool in VS Code, from an MCP server or another extension.")),
	resource: resource(
		"Name of an MCP server in config.resources: then tool is the name of a tool on that server.",
	),
	input: maybe(z.record(z.string(), z.unknown()), PLACES),
});

const asked = template(`The task. ${PLACE}`);

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
	method: maybe(z.enum(HTTP_METHODS), "GET if omitted."),
	url: text.check(z.describe(`The host must be one of the plugin's hosts. In the path and query, ${PLACE}`)),
	resource: resource("Name of an http client in config.resources: then url is a path that begins with /."),
	headers: maybe(z.record(z.string(), text), PLACE),
	body: maybe(z.unknown(), `Sent as JSON. ${PLACES}`),
	timeout: timeout(120),
});

const words = z.array(z.string().check(z.maxLength(MAX_TEXT))).check(z.maxLength(100));

const program = z.strictObject({
	kind: z.literal("program"),
	program: text.check(
		z.describe("A name on the PATH, or a path that begins with ./ and is relative to this file."),
	),
	arguments: maybe(words, `Each item is one argument, whatever it contains. ${PLACE}`),
	input: z.optional(template(`Text for the standard input. ${PLACE}`)),
	resource: resource("Name of files in config.resources: the folder in which the program runs."),
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
		z.union([text.check(z.describe("The URL for a GET request.")), z.omit(http, { kind: true })]),
	),
	run: z.optional(
		z.union([
			text.check(
				z.describe(
					"The program and its arguments, separated by spaces. Use a list if an argument contains spaces.",
				),
			),
			words,
			z.omit(program, { kind: true }),
		]),
	),
};

const named = { id: maybe(text, "A unique name."), name: maybe(text, "A name that people see.") };
const address = {
	url: text.check(z.describe("The URL; for http, the base URL of all paths.")),
	headers: maybe(z.record(z.string(), text), "Sent with each request."),
};
const health = maybe(text, "A path that is requested before the first use, to check that the server works.");
const folder = text.check(z.describe("A folder within the working folder."));
const sources = maybe(texts, "Only files whose path begins with one of these texts.");
const types = maybe(texts, "Only resources of these classes.");
const model = text.check(z.describe("The model's name, family or id."));

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
