import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";

export function helpText(defaultData: string): string {
	return `Answers questions about the linked data and documents of a folder, over the Model Context Protocol on
standard input and output.

Usage: node mcp.cjs --workspace DIR [--workspace DIR …] [--data DIR] [--permissions DIR] [--sessions DIR]
                    [--exclude GLOB …]
                    [--agent-instructions] [--graph-endpoint URL] [--text-only] [--read-only]
                    [--storage-uri ADDRESS [--storage-option NAME=VALUE …]] [--storage-memory MB]
                    [--embedding-folder DIR | --embedding-endpoint URL --embedding-model NAME [--embedding-… …]
                     | --no-embedding]
                    [--model-endpoint URL --model NAME]
                    [--search-index NAME] [--search-threshold N] [--search-max-tokens N]
                    [--allow RULE …] [--agree-plugin NAME@HASH …]
                    [--agents-max-tokens N] [--agents-max-minutes N] [--agents-step-timeout N]
                    [--agents-answer-timeout N] [--agents-answer-tokens N]

  --workspace DIR       a folder whose files are the knowledge; may be given several times
  --data DIR            where the index is kept. Give the folder that the VS Code extension uses to share its index
                        ("Copilot-LD: Copy MCP Configuration" knows it). Left out, it is a folder for this workspace in
                        ${defaultData}
  --permissions DIR     where the rules of permission and their log are. Give the folder that the VS Code extension uses
                        to follow its rules. Left out, it is "permissions" in the folder of the index: every call is
                        written down there; those that only read are allowed, and agents run where a rule allows it
  --allow RULE          what nobody needs to be asked about: the name of a tool (run_agent), or a rule as the settings have
                        it ({"channel":"cli","tool":"edit","path":"docs/**"}); may be given several times. A rule that
                        denies still counts
  --agree-plugin NAME@HASH
                        runs the commands of this version of a plugin that do more than read; --check prints the hash
  --sessions DIR        where what clients ask and are told is kept, as sessions. Give the folder that the VS Code
                        extension uses to see them there. Left out, nothing of it is kept
  --exclude GLOB        files that are not indexed, as in files.exclude; may be given several times
  --agent-instructions  index files that tell agents what to do (AGENTS.md, .github/agents/, .claude/, …) as well
  --graph-endpoint URL  a SPARQL 1.1 endpoint that answers graph queries in place of the facts of the files
  --text-only           results without structuredContent, for clients that give it to the model instead of the text
                        with its citations, or besides
  --storage-uri ADDRESS where the index is, if not in a folder on this machine: s3://…, gs://…, az://…, db://…
                        What is kept of it here is in the folder of --data. Its credentials are read from the variable
                        ${SECRET_VARIABLES.storage}, as name=value, separated by spaces
  --storage-option NAME=VALUE
                        an option of that store that is no secret, for example region=us-east-1
  --storage-memory MB   what a copy of the index may take in memory (1024); a larger index is searched where it lies
  --read-only           the index is only searched: for one that a team shares and somebody else builds
  --embedding-folder DIR
                        a model on this computer, in the form in which sentence-transformers publishes them, that turns
                        texts into vectors in place of the built-in model, in the background
  --embedding-endpoint URL, --embedding-model NAME
                        what turns texts into vectors, if not the built-in model: an OpenAI-compatible endpoint. Its key
                        is read from the variable ${SECRET_VARIABLES.embedding}. Also: --embedding-dimensions N,
                        --embedding-batch-size N, --embedding-query-prefix TEXT, --embedding-passage-prefix TEXT
  --no-embedding        no vectors: full text and graph only
  --search-index content|descriptor|both, --search-threshold 0…1, --search-max-tokens N
                        how it is searched where a call does not say: by what documents say, by what a language model
                        said of them, or by both; with which score at least; and how many tokens the passages take
  --agents-max-tokens N, --agents-max-minutes N, --agents-step-timeout SECONDS
                        what a chain of agents may take in all, and one try of a step, as the settings of these names
  --agents-answer-timeout SECONDS, --agents-answer-tokens N
                        what one answer of the model of --model-endpoint may take (300, 4096); then it is cut off
  --check               prints what is wrong with the files of agents and plugins, and which versions of plugins wait for
                        consent; ends with 0, or with 1 if a file is skipped
  --problem-report FILE writes a problem report, as "Copilot-LD: Report a Problem" does, and ends: versions, counts of the
                        index and timings, with no names of files and nothing that you wrote
  --test [--junit FILE] asks the questions of .copilot-ld/tests.yaml, without a language model, prints what came of
                        them, and ends: with 0 where all passed, with 1 where one failed. FILE gets the outcomes as XML
  --model-endpoint URL --model NAME
                        the model of a server that speaks OpenAI's protocol: ask, prompts and copilots work on it,
                        whatever the client lends; with --test it judges the criteria in words. Its key is read from the
                        variable ${SECRET_VARIABLES.model}
  --version             prints the version
  --help                prints this
`;
}
