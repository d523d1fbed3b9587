import * as vscode from "vscode";
import { listOf, textOf } from "../../base/values.ts";

/** Names by which an agent's file may call the tools of the extensions that are installed. */
export function contributedTools(): ReadonlySet<string> {
	const declared = vscode.extensions.all.flatMap(({ packageJSON }) => {
		const contributes: unknown = packageJSON?.contributes;
		return [
			...listOf(contributes, "languageModelTools"),
			...listOf(contributes, "languageModelToolSets"),
		].flatMap((tool) => [textOf(tool, "toolReferenceName"), textOf(tool, "name")]);
	});
	const names = [...declared, ...vscode.lm.tools.map(({ name }) => name)];
	return new Set(names.filter((name) => name !== undefined));
}
