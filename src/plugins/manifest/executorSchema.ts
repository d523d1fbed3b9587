import * as z from "zod/mini";
import { READING_TOOLS } from "../../core/agent/ourTools.ts";
import { SEARCHED_INDEXES } from "../../core/knowledge/knowledge.ts";
import { HTTP_METHODS } from "../../core/plugin/plugin.ts";

const MAX_TEXT = 4000;
const MAX_QUERY = 20_000;

export const described = (words: string) => z.describe(words);
export const count = (max: number) => z.int().check(z.gte(1), z.lte(max));
export const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TEXT));
export const texts = z.array(text).check(z.maxLength(100));

const template = (words: string) =>
	z.string().check(z.minLength(1), z.maxLength(MAX_QUERY), described(words));
const resource = (words: string) => z.optional(text).check(described(words));
const timeout = (most: number) =>
	z.optional(count(most)).check(described("Seconds that it may take; 30 if left out."));

const PLACE = "{{name}} stands for a parameter.";
const PLACES = "{{name}} stands for a parameter; alone in a text, for its value as it is.";

const sparql = z.strictObject({
	kind: z.literal("sparql"),
	query: template(
		"SPARQL 1.1 SELECT, ASK, CONSTRUCT or DESCRIBE. A variable named as a parameter is bound to it.",
	),
	limit: z.optional(count(1000)).check(described("Rows or statements at most; 100 if left out.")),
	resource: resource("A SPARQL endpoint among config.resources, which is asked instead of the knowledge."),
});

const retrieval = z.strictObject({
	kind: z.literal("retrieval"),
	query: text.check(described(`What is searched for; ${PLACE}`)),
	types: z.optional(texts).check(described("Only resources of these classes.")),
	sources: z.optional(texts).check(described("Only files whose path begins so.")),
	index: z
		.optional(z.enum(SEARCHED_INDEXES))
		.check(described("What the documents say, what they are good for, or both.")),
	limit: z.optional(count(30)).check(described("Passages at most; 8 if left out.")),
	threshold: z
		.optional(z.number().check(z.gte(0), z.lte(1)))
		.check(described("Only passages with this score or more.")),
	maxTokens: z
		.optional(count(1_000_000))
		.check(described("Only the best passages that take so many tokens together.")),
	resource: resource("An index among config.resources, which says sources and types where this does not."),
});

const prompt = z.strictObject({
	kind: z.literal("prompt"),
	template: template(`What the model is asked; ${PLACE} info.prompt says what it is.`),
	tools: z
		.optional(z.array(z.enum(READING_TOOLS)))
		.check(described("What it may call; all of these if left out.")),
	resource: resource("A model among config.resources; any that there is if left out."),
});

const vscode = z.strictObject({
	kind: z.literal("vscode"),
	command: text.check(described("The id of a command of VS Code, as keyboard shortcuts name it.")),
	arguments: z.optional(z.array(z.unknown()).check(z.maxLength(20))).check(described(PLACES)),
});

const tool = z.strictObject({
	kind: z.literal("tool"),
	tool: text.check(described("A tool that VS Code knows: of an MCP server, or of another extension.")),
	resource: resource("An mcp server among config.resources: then tool is what the server calls it."),
	input: z.optional(z.record(z.string(), z.unknown())).check(described(PLACES)),
});

const agent = z.strictObject({
	kind: z.literal("agent"),
	agent: text.check(described("The name of a custom agent.")),
	template: template(`What it is asked; ${PLACE}`),
});

const chain = z.strictObject({
	kind: z.literal("chain"),
	chain: text.check(described("The name of a saved chain.")),
	template: template(`What it is asked; ${PLACE}`),
});

const http = z.strictObject({
	kind: z.literal("http"),
	method: z.optional(z.enum(HTTP_METHODS)).check(described("GET if left out.")),
	url: text.check(described(`Its host is one of the plugin's hosts; in the path and behind it ${PLACE}`)),
	resource: resource("An http client among config.resources: then url is a path that begins with /."),
	headers: z.optional(z.record(z.string(), text)).check(described(PLACE)),
	body: z.optional(z.unknown()).check(described(`Sent as JSON. ${PLACES}`)),
	timeout: timeout(120),
});

const words = z.array(z.string().check(z.maxLength(MAX_TEXT))).check(z.maxLength(100));

const program = z.strictObject({
	kind: z.literal("program"),
	program: text.check(described("A name on the PATH, or a path beside this file that begins with ./")),
	arguments: z.optional(words).check(described(`Each is one argument, whatever is in it; ${PLACE}`)),
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

/** The short form: a word in place of a kind, and the field that its text is. */
export const SHORT_FORMS = {
	query: { kind: "sparql", field: "query" },
	search: { kind: "retrieval", field: "query" },
	prompt: { kind: "prompt", field: "template" },
	http: { kind: "http", field: "url" },
	run: { kind: "program", field: "program" },
} as const;

/** For editors: what may be written after each word. */
export const shortSchemas = {
	query: z.optional(z.union([sparql.shape.query, z.omit(sparql, { kind: true })])),
	search: z.optional(z.union([retrieval.shape.query, z.omit(retrieval, { kind: true })])),
	prompt: z.optional(z.union([prompt.shape.template, z.omit(prompt, { kind: true })])),
	http: z.optional(
		z.union([text.check(described("The address that is read with GET.")), z.omit(http, { kind: true })]),
	),
	run: z.optional(
		z.union([
			text.check(described("The program and its arguments, divided by spaces; a list if one has spaces.")),
			words,
			z.omit(program, { kind: true }),
		]),
	),
};

const named = {
	id: z.optional(text).check(described("A name that no other has.")),
	name: z.optional(text).check(described("A name for people.")),
};
const address = {
	url: text.check(described("The address; of http the one that paths are below.")),
	headers: z.optional(z.record(z.string(), text)).check(described("Sent with each request.")),
};
const health = z.optional(text).check(described("A path that is asked before the first use."));
const folder = text.check(described("A folder below the one that is worked in."));
const sources = z.optional(texts).check(described("How paths begin in it."));
const types = z.optional(texts).check(described("Classes of the resources in it."));
const model = text.check(described("Its name, its family or its id."));

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
