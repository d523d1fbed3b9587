import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { KnowledgeReader } from "../../core/knowledge/knowledge.ts";
import type { TestFailure } from "../../core/knowledge/knowledgeTest.ts";

/** Marks messages about cited lines that may have moved, for the menu of the Test Explorer. */
const MOVED = "movedSources";

/** What VS Code passes to a command in the menu of a message. */
interface ChosenMessage {
	readonly message: vscode.TestMessage;
}

/** Shows the expected and the cited lines beside each other, and offers to expect the latter. */
export async function showMoved(
	message: vscode.TestMessage,
	{ from, to }: NonNullable<TestFailure["moved"]>,
	{ knowledge, signal }: { readonly knowledge: KnowledgeReader; readonly signal: AbortSignal },
): Promise<void> {
	const textOf = async (target: string) => {
		const read = await knowledge.read({ target, door: "chat" }, signal).catch(() => undefined);
		return [target, ...(read?.parts.map(({ text }) => text) ?? [])].join("\n");
	};
	[message.expectedOutput, message.actualOutput] = await Promise.all([textOf(from), textOf(to)]);
	message.contextValue = MOVED;
}

/** Replaces the expected place in the file of tests by the one that was cited. */
export async function updateExpectedSources({ message }: ChosenMessage): Promise<void> {
	const [from = "", to = ""] = [message.expectedOutput, message.actualOutput].map(
		(text) => text?.split("\n")[0] ?? "",
	);
	const { location } = message;
	const document = location && (await vscode.workspace.openTextDocument(location.uri));
	const line = document?.lineAt(Math.min(location?.range.start.line ?? 0, document.lineCount - 1));
	const at = line?.text.indexOf(from) ?? -1;
	if (!document || !line || from === "" || at < 0)
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("The test has changed since it ran. Run it again, and update its sources then."),
		);
	const edit = new vscode.WorkspaceEdit();
	const { line: row } = line.range.start;
	edit.replace(document.uri, new vscode.Range(row, at, row, at + from.length), to);
	await vscode.workspace.applyEdit(edit);
	await document.save();
}
