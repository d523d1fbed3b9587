import type * as vscode from "vscode";
import { readWanted } from "../cli/chosenOptions.ts";

/** Whether it is a question that is answered; the others only show or do something. */
export function isConversation(request: vscode.ChatRequest): boolean {
	const { command = "", prompt } = request;
	return (
		prompt.trim() !== "" &&
		!["index", "resume", "remember", "instructions"].includes(command) &&
		!asksForCommands(request)
	);
}

export function asksForCommands({ command, prompt }: vscode.ChatRequest): boolean {
	return command === "cli" && prompt.trim() === "/";
}

/** Words alone can go into a turn at work; an attachment or a choice needs a turn of its own. */
export function steerableBy({ prompt, command, references }: vscode.ChatRequest) {
	const words = command === "cli" ? readWanted(prompt) : { wanted: [], question: prompt.trim() };
	const isPlain = references.length === 0 && words.wanted.length === 0 && !/^\/|^$/.test(words.question);
	return { engine: command ?? "model", ...(isPlain && { words: words.question }) };
}

export function questionOf({ prompt, command, references }: vscode.ChatRequest) {
	const attachments = references.map(({ id, modelDescription }) => modelDescription ?? id);
	return { text: prompt.trim(), attachments, ...(command !== undefined && { command }) };
}
