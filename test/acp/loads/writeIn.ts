import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file and its parent folders; content other than text is written as JSON. */
export async function writeIn(folder: string, name: string, content: unknown): Promise<void> {
	const file = join(folder, name);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
}
export async function writeAll(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
	for (const [name, content] of Object.entries(files)) await writeIn(folder, name, content);
}

export function hook(bash: string, event = "preToolUse") {
	return { version: 1, hooks: { [event]: [{ type: "command", bash }] } };
}
