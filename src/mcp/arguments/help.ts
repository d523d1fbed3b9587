import { wordMap } from "../../base/words/wordList.ts";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import type { MCP_OPTIONS } from "../../protocol/mcpOptions.ts";

const CACHES = "{caches}";

/** How the help names each option's value. */
const VALUES = wordMap(`
	workspace=DIR data=DIR permissions=DIR allow=RULE agree-plugin=NAME@HASH sessions=DIR exclude=GLOB
	graph-endpoint=URL storage-uri=ADDRESS storage-option=NAME=VALUE storage-memory=MB embedding-folder=DIR
	embedding-endpoint=URL embedding-model=NAME embedding-dimensions=N embedding-batch-size=N
	embedding-query-prefix=TEXT embedding-passage-prefix=TEXT search-index=NAME search-threshold=N
	search-max-tokens=N agents-max-tokens=N agents-max-minutes=N agents-step-timeout=SECONDS
	agents-answer-timeout=SECONDS agents-answer-tokens=N model-endpoint=URL model=NAME model-window=N
	otlp-endpoint=URL junit=FILE problem-report=FILE
`);

const OPTION_TEXTS: Readonly<Record<keyof typeof MCP_OPTIONS, string>> = {
	workspace: "a folder whose files are the knowledge; may be given several times",
	data: `the folder of the index; to share the index of the VS Code extension, use its folder, which "Copilot-LD: Copy MCP Configuration" copies; by default a folder for this workspace in ${CACHES}`,
	permissions:
		"the folder of the permission rules and their log; by default `permissions` in the folder of the index. Every call is logged there. Until that folder has a rule, calls that only read are allowed",
	allow:
		'calls that are allowed without a question: the name of a tool (`run_agent`), or a rule as in the settings (`{"channel":"cli","tool":"edit","path":"docs/**"}`); may be given several times. Rules that deny still apply',
	"agree-plugin":
		"run the commands of this version of a plugin that do more than read; `--check` prints the hash; may be given several times",
	sessions:
		"the folder for the requests of clients and the answers, with one session for each run of the program; the VS Code extension shows the sessions in its own folder. By default, nothing is kept",
	exclude: "files that are not indexed, as in `files.exclude`; may be given several times",
	"agent-instructions":
		"also index files that tell agents what to do (`AGENTS.md`, `.github/agents/`, `.claude/`, …)",
	"graph-endpoint": "a SPARQL 1.1 endpoint that answers graph queries instead of the statements in the files",
	"text-only":
		"omit `structuredContent`, which some clients pass to the model instead of, or in addition to, the text with its citations",
	"storage-uri": `where the index is, if not in a folder on this machine: \`s3://…\`, \`gs://…\`, \`az://…\`, \`db://…\`. Its credentials are read from the variable \`${SECRET_VARIABLES.storage}\`, as \`name=value\`, separated by spaces`,
	"storage-option":
		"an option of that store that is not secret, for example `region=us-east-1`; may be given several times",
	"storage-memory":
		"maximum size in memory of a copy of the index (1024); a larger index is searched where it is stored",
	"read-only": "only search the index, for an index that a team shares and another program builds",
	"embedding-folder":
		"the folder of a model in the format of sentence-transformers, which makes the vectors in the background, in place of the built-in model",
	"embedding-endpoint": `an OpenAI-compatible endpoint that makes the vectors in place of the built-in model. The key is read from the variable \`${SECRET_VARIABLES.embedding}\``,
	"embedding-model": "the model of that endpoint",
	"embedding-dimensions": "the length of that model's vectors",
	"embedding-batch-size": "the number of texts in a request to that endpoint",
	"embedding-query-prefix": "the prefix that the model needs before a question",
	"embedding-passage-prefix": "the prefix that the model needs before a passage",
	"no-embedding": "no vectors: full text and graph only",
	"search-index":
		"the index to search, unless a call names one: `content` (what documents say), `descriptor` (descriptions of the documents by a language model) or `both`",
	"search-threshold": "the minimum score of a hit, 0 to 1, unless a call specifies it",
	"search-max-tokens": "the approximate maximum of tokens of all passages, unless a call specifies it",
	"agents-max-tokens": "maximum number of tokens of a chain of agents; by default as in the setting",
	"agents-max-minutes": "maximum number of minutes of a chain; by default as in the setting",
	"agents-step-timeout": "time limit of one attempt at a step; by default as in the setting",
	"agents-answer-timeout":
		"time limit of an answer of the model of `--model-endpoint` (300), or of the client's model (600), after which the answer is cut off",
	"agents-answer-tokens":
		"maximum number of tokens of an answer of these models (4096, or 2000), after which the answer is cut off",
	"model-endpoint": `a server that is compatible with the OpenAI API: \`ask\`, prompts and copilots use its model instead of the client's; with \`--test\`, the model judges criteria in words. The key is read from the variable \`${SECRET_VARIABLES.model}\``,
	model: "the model of that server",
	"model-window":
		"tokens that this model can read and write in one request; by default the number that the server states, or else 32768",
	"otlp-endpoint":
		"a collector that gets [traces and metrics](traces.md) as OTLP over HTTP; by default nothing is traced",
	"otlp-contents": "include the texts of questions, answers and calls in traces",
	check:
		"print the problems in files of agents, plugins and skills, and the plugins that wait for consent, and end; the exit code is 1 if a file is skipped",
	test: "ask the questions of `.copilot-ld/tests.yaml`, print the outcomes, and end; the exit code is 1 if a test failed",
	junit: "the XML file for the outcomes of `--test`",
	"problem-report":
		'write a problem report, as "Copilot-LD: Report a Problem" does, and end: versions, counts and timings, without file names and without anything that you wrote',
	version: "print the version",
	help: "print this",
};

export function optionRows(caches: string): [written: string, text: string][] {
	return Object.entries(OPTION_TEXTS).map(([name, text]) => {
		return [`--${name} ${VALUES.get(name) ?? ""}`.trim(), text.replace(CACHES, () => caches)];
	});
}

const COLUMN = 30;
const WIDTH = 90;

export function helpText(defaultData: string): string {
	const rows = optionRows(defaultData).map(([written, text]) => {
		const lines =
			text.replaceAll(/`|\[|\]\(.*?\)/g, "").match(new RegExp(`.{1,${WIDTH}}(?:\\s|$)|\\S+`, "g")) ?? [];
		const [first = "", ...others] = lines.map((line) => line.trimEnd());
		const start = `  ${written}`.padEnd(COLUMN);
		const gap = start.length > COLUMN ? `\n${" ".repeat(COLUMN)}` : "";
		return [start + gap + first, ...others.map((line) => " ".repeat(COLUMN) + line)].join("\n");
	});
	return `Answers questions about the linked data and documents of a folder, over the Model Context Protocol on standard
input and output.

Usage: node mcp.cjs --workspace DIR [--workspace DIR …] [option …]

${rows.join("\n")}
`;
}
