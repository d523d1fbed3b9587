import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export async function folderSize(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
	const stats = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
	return stats.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}
