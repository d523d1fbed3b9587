import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { window } from "../../support/fakeVscode.ts";

/** Answers each warning with this button; returns the details that are shown. */
export function press(button: string | undefined): string[] {
	const shown: string[] = [];
	window.showWarningMessage = async (_message, options) => {
		shown.push((options as { detail: string }).detail);
		return button;
	};
	return shown;
}

export async function writeHook(folder: string, bash: string): Promise<void> {
	await mkdir(join(folder, ".github/hooks"), { recursive: true });
	const hooks = { version: 1, hooks: { sessionStart: [{ type: "command", bash }] } };
	await writeFile(join(folder, ".github/hooks/a.json"), JSON.stringify(hooks));
}
