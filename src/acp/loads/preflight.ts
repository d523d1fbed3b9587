import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../base/failure.ts";
import { fieldOf, isRecord, listOf, textOf } from "../../base/values.ts";

/** What the CLI takes from a folder by itself: hooks are run without a question, the others speak to its model. */
export interface FolderLoads {
	/** In words for a person, one line each. */
	readonly lines: readonly string[];
	/** Other contents have another one. */
	readonly fingerprint: string;
}

interface Load {
	readonly line: string;
	readonly content: string;
}

/** Looks at what the CLI would load from a folder; `undefined` where there is nothing. */
export async function folderLoads(folder: string): Promise<FolderLoads | undefined> {
	const found = await Promise.all([
		...[".github/hooks"].map((place) => readHooks(folder, place)),
		...[".mcp.json", ".vscode/mcp.json", ".github/mcp.json"].map((file) => readServers(folder, file)),
		...[".github/agents", ".claude/agents"].map((place) => readTexts(folder, place, "Agent")),
		...[".github/skills", ".claude/skills", ".agents/skills"].map((place) => readSkills(folder, place)),
	]);
	const loads = found.flat();
	if (loads.length === 0) return undefined;
	const hash = createHash("sha256");
	for (const { line, content } of loads) hash.update(`${line}\0${content}\0`);
	return { lines: loads.map(({ line }) => line), fingerprint: hash.digest("hex") };
}

async function readHooks(folder: string, place: string): Promise<Load[]> {
	const names = await namesIn(join(folder, place), /\.json$/);
	return Promise.all(
		names.map(async (name) => {
			const content = await readFile(join(folder, place, name), "utf8");
			const commands = commandsIn(parse(content));
			return { line: `Hook ${place}/${name}: ${commands.join("; ") || "cannot be read"}`, content };
		}),
	);
}

/** `{ "hooks": { "preToolUse": [{ "type": "command", "bash": "…" }] } }` */
function commandsIn(hooks: unknown): string[] {
	const byEvent = fieldOf(hooks, "hooks");
	if (!isRecord(byEvent)) return [];
	return Object.keys(byEvent).flatMap((event) =>
		listOf(byEvent, event).map((hook) => {
			const command = textOf(hook, "bash") ?? textOf(hook, "powershell") ?? textOf(hook, "command");
			return `${event} runs ${command ?? "something"}`;
		}),
	);
}

async function readServers(folder: string, file: string): Promise<Load[]> {
	const content = await readFile(join(folder, file), "utf8").catch(() => undefined);
	if (content === undefined) return [];
	const settings = parse(content);
	const servers = fieldOf(settings, "mcpServers") ?? fieldOf(settings, "servers");
	if (!isRecord(servers)) return [{ line: `MCP servers in ${file}: cannot be read`, content }];
	return Object.entries(servers).map(([name, server]) => {
		const how = [textOf(server, "command") ?? textOf(server, "url"), ...listOf(server, "args")];
		return { line: `MCP server “${name}” in ${file}: ${how.join(" ")}`, content: JSON.stringify(server) };
	});
}

async function readTexts(folder: string, place: string, what: string): Promise<Load[]> {
	const names = await namesIn(join(folder, place), /\.md$/);
	return Promise.all(
		names.map(async (name) => {
			const content = await readFile(join(folder, place, name), "utf8");
			return { line: `${what} ${place}/${name}`, content };
		}),
	);
}

async function readSkills(folder: string, place: string): Promise<Load[]> {
	const names = await namesIn(join(folder, place), /^[^.]/);
	const loads = await Promise.all(names.map((name) => readTexts(folder, `${place}/${name}`, "Skill")));
	return loads.flat();
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
	const names = await readdir(folder).catch(() => []);
	return names.filter((name) => pattern.test(name)).sort();
}

/** What cannot be read is named, and its bytes count. */
function parse(content: string): unknown {
	try {
		return JSON.parse(content);
	} catch (error) {
		return messageOf(error);
	}
}
