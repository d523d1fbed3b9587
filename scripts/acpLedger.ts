import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_METHODS, CLIENT_METHODS } from "@agentclientprotocol/sdk";
import { findCli } from "../src/acp/link/findCli.ts";
import { askCli } from "./acpLedger/askCli.ts";
import { provenBy } from "./acpLedger/provenBy.ts";
import { root } from "./paths.ts";

/** Writes docs/acp-ledger.md: for each ACP method, whether we use it, the CLI supports it, and which tests prove it. */
const sources = globSync("src/acp/**/*.ts", { cwd: root })
	.map((file) => readFileSync(join(root, file), "utf8"))
	.join("\n");

/** Whether our code uses a method; the code writes `session/set_mode` as `session.setMode`. */
function isUsed(method: string): boolean {
	const path = method
		.split("/")
		.map((part) => part.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
		.join(".");
	return sources.includes(`methods.agent.${path}`) || sources.includes(`methods.client.${path}`);
}

function row(name: string, ours: boolean, known: string): string {
	const tests = (provenBy[name] ?? []).map(({ file, title }) => `${file}: “${title}”`);
	return `| \`${name}\` | ${ours ? "yes" : "–"} | ${known} | ${tests.join("<br>") || "–"} |`;
}

const { command, version } = await findCli({ setting: "", env: {}, packageFolders: [root] });
const seen = await askCli(command);
const methods: ReadonlySet<string> = new Set(Object.values(AGENT_METHODS));
const updates = Object.keys(provenBy).filter((name) => !name.includes("/") && !methods.has(name));

const head = (who: string) => `| ${who} | Copilot-LD | CLI ${version} | shown by test |\n|---|---|---|---|`;
const agentRows = Object.values(AGENT_METHODS).map((method) =>
	row(method, isUsed(method), seen.unknown.has(method) ? "not known" : "yes"),
);
const clientRows = Object.values(CLIENT_METHODS)
	.filter((method) => method !== "session/update")
	.map((method) => row(method, isUsed(method), seen.calls.has(method) ? "calls it" : "never seen"));
const updateRows = updates.map((name) =>
	row(name, sources.includes(`"${name}"`), seen.updates.has(name) ? "sends it" : "never seen"),
);

const text = `# Parts of the Agent Client Protocol in use

\`npm run acp-ledger\` writes this page.
The script calls every method of GitHub Copilot CLI ${version} once, offline, and runs one turn with a scripted model: a thought,
a command, a new file, a plan and a change of mode. “Never seen” means: not in that turn.

## Methods of the agent

${head("method")}
${agentRows.join("\n")}

## Methods of the client

Copilot-LD offers no files and no terminals (\`clientCapabilities\` is empty), because the CLI accesses the disk itself.

${head("method")}
${clientRows.join("\n")}

## Updates from the agent: \`session/update\`

${head("update")}
${updateRows.join("\n")}
`;
writeFileSync(join(root, "docs", "acp-ledger.md"), text);
