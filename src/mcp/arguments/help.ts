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
	data: `where the index is kept; the folder that the VS Code extension uses shares its index ("Copilot-LD: Copy MCP Configuration" knows it); by default a folder for this workspace in ${CACHES}`,
	permissions:
		"where the permission rules and their log are; by default `permissions` in the folder of the index. Every call is logged there, and those that only read are allowed until a rule is put beside the log",
	allow:
		'what nobody needs to be asked about: the name of a tool (`run_agent`), or a rule as the settings have it (`{"channel":"cli","tool":"edit","path":"docs/**"}`); may be given several times. A rule that denies still counts',
	"agree-plugin":
		"run the commands of this version of a plugin that do more than read; `--check` prints the hash; may be given several times",
	sessions:
		"where what clients ask and are told is kept, as a session each time that the program runs; the folder that the VS Code extension uses shows them in its Sessions view. By default nothing is kept",
	exclude: "files that are not indexed, as in `files.exclude`; may be given several times",
	"agent-instructions":
		"also index files that tell agents what to do (`AGENTS.md`, `.github/agents/`, `.claude/`, …)",
	"graph-endpoint": "a SPARQL 1.1 endpoint that answers graph queries instead of the statements in the files",
	"text-only":
		"results without `structuredContent`, for clients that give it to the model instead of the text with its citations, or besides",
	"storage-uri": `where the index is, if not in a folder on this machine: \`s3://…\`, \`gs://…\`, \`az://…\`, \`db://…\`. Its credentials are read from the variable \`${SECRET_VARIABLES.storage}\`, as \`name=value\`, separated by spaces`,
	"storage-option":
		"an option of that store that is not secret, for example `region=us-east-1`; may be given several times",
	"storage-memory":
		"what a copy of the index may take in memory (1024); a larger index is searched on its store",
	"read-only": "only search the index: for one that a team shares and somebody else builds",
	"embedding-folder":
		"a model on this machine, as sentence-transformers publishes them, that makes the vectors in place of the built-in one, in the background",
	"embedding-endpoint": `an OpenAI-compatible endpoint that makes the vectors instead. Its key is read from the variable \`${SECRET_VARIABLES.embedding}\``,
	"embedding-model": "the model of that endpoint",
	"embedding-dimensions": "the length of its vectors",
	"embedding-batch-size": "the number of texts in a request to it",
	"embedding-query-prefix": "what its model wants before a question",
	"embedding-passage-prefix": "what its model wants before a passage",
	"no-embedding": "no vectors: full text and graph only",
	"search-index":
		"what is searched if a call does not say: `content` (what documents say), `descriptor` (what a language model said of them) or `both`",
	"search-threshold": "the least score of a hit if a call does not say, 0 to 1",
	"search-max-tokens": "about how many tokens the passages may take together if a call does not say",
	"agents-max-tokens": "what a chain of agents may take in all; by default as the setting",
	"agents-max-minutes": "how long a chain may run; by default as the setting",
	"agents-step-timeout": "how long one try of a step may run; by default as the setting",
	"agents-answer-timeout":
		"how long one answer of the model of `--model-endpoint` may take (300), or of the model of the client (600); then it is cut off",
	"agents-answer-tokens": "how long one answer of these models may be (4096, or 2000); then it is cut off",
	"model-endpoint": `a server that speaks OpenAI's protocol: \`ask\`, prompts and copilots work on its model, whatever the client lends; with \`--test\` it judges the criteria in words. Its key is read from the variable \`${SECRET_VARIABLES.model}\``,
	model: "the model of that server",
	"model-window":
		"tokens that this model can read and write in one request; by default what the server says, else 32768",
	"otlp-endpoint":
		"a collector that gets [traces and metrics](traces.md) as OTLP over HTTP; by default nothing is traced",
	"otlp-contents": "traces have the words of questions, answers and calls",
	check:
		"print what is wrong with the files of agents, plugins and skills, and which plugins wait for consent, and end: with 1 if a file is skipped",
	test: "ask the questions of `.copilot-ld/tests.yaml`, print the outcomes, and end: with 1 if one failed",
	junit: "the file that gets the outcomes of `--test` as XML",
	"problem-report":
		'write a problem report, as "Copilot-LD: Report a Problem" does, and end: versions, counts and timings, with no names of files and nothing that you wrote',
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
