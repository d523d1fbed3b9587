import * as z from "zod/mini";
import { boundedLine } from "../../base/text/visibleText.ts";
import { isRecord, textOf } from "../../base/values.ts";
import type { AgentDefinition, AgentProblem, AgentSource } from "../../core/agent/chain.ts";
import { AGENT_FIELDS, OTHER_FIELDS } from "../../loads/agentFields.ts";
import { readYamlFields, splitFrontMatter, type YamlFields } from "../../loads/frontMatter.ts";

/** `definition` is missing if one of the problems is an error. */
export interface ReadAgent {
	readonly uri: string;
	readonly definition?: AgentDefinition;
	readonly problems: readonly AgentProblem[];
	lineOf(field: string, index?: number): number;
}

interface AgentText {
	readonly source: AgentSource;
	readonly text: string;
	/** Name of the agent if the front matter has no name. */
	readonly id: string;
}

const TARGETS = ["vscode", "github-copilot"] as const;

const MAX_NAME = 100;
const MAX_TEXT = 2000;
const MAX_WORD = 200;
const MAX_ITEMS = 200;
const MAX_HANDOFFS = 10;

const KNOWN: ReadonlySet<string> = new Set([...AGENT_FIELDS, ...OTHER_FIELDS]);

const text = z.string();
const texts = z.union([text, z.array(text)]);
const flag = z.boolean();
const server = z.union([
	z.looseObject({ tools: texts, url: text, type: text }),
	z
		.looseObject({ tools: texts, command: text, args: texts })
		.check(z.refine(({ url }) => typeof url !== "string")),
]);
const handoffs = z.array(z.looseObject({ agent: text.check(z.minLength(1)) }));

type Types = Readonly<Record<string, readonly [type: z.ZodMiniType, what: string]>>;

/** If one of these fields has another type, the Copilot CLI does not offer the agent. */
const TYPES: Types = {
	name: [text, "a text"],
	description: [text, "a text"],
	tools: [texts, "a list of names"],
	model: [texts, "a name, or a list of names"],
	infer: [flag, "true or false"],
	"user-invocable": [flag, "true or false"],
	"disable-model-invocation": [flag, "true or false"],
	"mcp-servers": [
		z.record(text, server),
		"servers by name, each with tools, and a command with args or a url with its type",
	],
};

/** If one of these fields has another type, the agent is offered without the field. */
const LENIENT_TYPES: Types = {
	keywords: [texts, "a list of words"],
	handoffs: [handoffs, "a list in which each item names an agent"],
	"argument-hint": [text, "a text"],
	target: [z.enum(TARGETS), TARGETS.join(" or ")],
};

export function readAgent(agent: AgentText): ReadAgent {
	const { source, text, id } = agent;
	const { uri } = source;
	const split = splitFrontMatter(text.replace(/^\uFEFF/, ""));
	const fields = split ? readYamlFields(split.head) : { line: 1, message: NO_FIELDS };
	if (!split || "message" in fields) {
		const { line, message } = "message" in fields ? fields : { line: 1, message: NO_FIELDS };
		return { uri, problems: [{ uri, line, severity: "error", message: `${message}.` }], lineOf: () => 1 };
	}
	const problems = problemsIn(fields, uri, id);
	const lineOf = fields.lineOf;
	if (problems.some(({ severity }) => severity === "error")) return { uri, problems, lineOf };
	return { uri, definition: define(fields.values, agent, split.body), problems, lineOf };
}

const NO_FIELDS =
	"The file does not begin with front matter between two lines of ---, so it does not describe an agent";

type Report = (severity: AgentProblem["severity"], field: string, message: string) => void;

function problemsIn({ values, lineOf }: YamlFields, uri: string, id: string): AgentProblem[] {
	const problems: AgentProblem[] = [];
	const report: Report = (severity, field, message) =>
		void problems.push({ uri, line: lineOf(field), severity, message: `${message}.` });
	for (const field of Object.keys(values)) checkField(field, values[field], report);
	const name = nameOf(values, id);
	if (!values["name"])
		report("warning", "name", `The agent has no name; the name of its file is used, “${visible(name)}”`);
	if (name.length > MAX_NAME || boundedLine(name, MAX_NAME) !== name)
		report("error", "name", "A name is one line of at most 100 visible characters; rename the agent");
	if (values["description"] === undefined)
		report("error", "description", "The agent has no description, so nobody can choose it; say what it does");
	return problems;
}

function checkField(field: string, value: unknown, report: Report): void {
	const [type, what] = TYPES[field] ?? [];
	const [fine, better] = LENIENT_TYPES[field] ?? [];
	if (type?.safeParse(value).success === false)
		report("error", field, `“${field}” must be ${what}; otherwise nobody can choose the agent`);
	if (fine?.safeParse(value).success === false)
		report("warning", field, `“${field}” is ignored unless it is ${better}`);
	if (field === "description" && value === "")
		report("warning", field, "The description is empty; say what the agent does and when to choose it");
	if (!KNOWN.has(field)) report("warning", field, `The field “${visible(field)}” is not used here`);
}

function nameOf(values: YamlFields["values"], id: string): string {
	return textOf(values, "name") || id;
}

function define(values: YamlFields["values"], { source, id }: AgentText, persona: string): AgentDefinition {
	const tools = textsIn(values["tools"]);
	const [model] = textsIn(values["model"]);
	const { data: named = [] } = handoffs.safeParse(values["handoffs"]);
	const servers = values["mcp-servers"];
	return {
		name: nameOf(values, id),
		description: boundedLine(textOf(values, "description") ?? "", MAX_TEXT),
		keywords: textsIn(values["keywords"]),
		...(values["tools"] !== undefined && !tools.includes("*") && { tools }),
		...(model && { model }),
		handoffs: named.slice(0, MAX_HANDOFFS).map(({ agent }) => visible(agent)),
		servers: isRecord(servers) ? Object.keys(servers).slice(0, MAX_ITEMS).map(visible) : [],
		mayBeChosen: values["infer"] !== false && values["disable-model-invocation"] !== true,
		mayBeAsked: values["user-invocable"] !== false,
		persona,
		source,
	};
}

/** Accepts a YAML list, or names separated by commas as in Claude's files. */
function textsIn(value: unknown): string[] {
	const items = typeof value === "string" ? value.split(",") : value;
	if (!Array.isArray(items)) return [];
	const shown = items.slice(0, MAX_ITEMS).map((item) => visible(String(item)));
	return shown.filter((item) => item !== "");
}

function visible(text: string): string {
	return boundedLine(text, MAX_WORD);
}
