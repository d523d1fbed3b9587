import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Reader } from "../core/session/person.ts";

/** What is made of the journals is made for one reader, so that it holds no word of anybody else. */
export function derivedFolder(folder: string, reader: Reader): string {
	const names = reader.map(({ source, id }) => JSON.stringify([source, id])).sort();
	return join(folder, "derived", createHash("sha256").update(names.join()).digest("hex").slice(0, 16));
}
