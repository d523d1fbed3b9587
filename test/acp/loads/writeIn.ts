import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file in a folder, with the folders that it needs; what is no text as JSON. */
export async function writeIn(folder: string, name: string, content: unknown): Promise<void> {
	const file = join(folder, name);
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
}

/** Writes many, each by its name. */
export async function writeAll(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
	for (const [name, content] of Object.entries(files)) await writeIn(folder, name, content);
}

export const hook = (bash: string) => ({ version: 1, hooks: { preToolUse: [{ type: "command", bash }] } });
