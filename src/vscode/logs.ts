import { readdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { isFailure } from "../base/failure.ts";
import { createRecorder, type Level, type Namespace, type Recorder } from "../base/traces/recorder.ts";
import type { StoredData } from "../core/storedData.ts";

export interface FailureLog {
	error(failure: Error | string): void;
}

/** `folder` is where VS Code stores the log files of this window. */
export function createLogs(folder: vscode.Uri) {
	const output = vscode.window.createOutputChannel("Copilot-LD", { log: true });
	const recorder = createRecorder();
	return {
		stored: createStored(folder.fsPath, output, recorder),
		of: (namespace: Namespace) => ({ log: createChannel(output, namespace, recorder), recorder }),
		dispose: () => output.dispose(),
	};
}

/** Log files are truncated, not deleted, because VS Code keeps writing to them. */
function createStored(
	folder: string,
	output: vscode.LogOutputChannel,
	recorder: Recorder,
): StoredData<"logs"> {
	const files = async () => {
		const names = await readdir(folder).catch(() => []);
		return names.filter((name) => name.endsWith(".log")).map((name) => join(folder, name));
	};
	return {
		sizes: async () => {
			const texts = await Promise.all((await files()).map((path) => readFile(path, "utf8")));
			const text = texts.join("");
			return { logs: { items: text.split("\n").length - 1, bytes: Buffer.byteLength(text) } };
		},
		clear: async () => {
			output.clear();
			recorder.clear();
			for (const path of await files()) await truncate(path);
		},
	};
}

function createChannel(
	output: vscode.LogOutputChannel,
	namespace: Namespace,
	recorder: Recorder,
): vscode.LogOutputChannel {
	const at =
		(level: Level) =>
		(said: string | Error, ...more: unknown[]) => {
			const text = said instanceof Error ? (said.stack ?? said.message) : said;
			output[level](`[${namespace}] ${text}`, ...more);
			const facts = isFailure(said) ? { facts: { code: said.code } } : {};
			recorder.note({ namespace, level, event: "log", text, ...facts });
		};
	return {
		trace: at("trace"),
		debug: at("debug"),
		info: at("info"),
		warn: at("warn"),
		error: at("error"),
		// Plain lines have no log level.
		append: at("info"),
		appendLine: at("info"),
		replace: at("info"),
		name: output.name,
		get logLevel() {
			return output.logLevel;
		},
		onDidChangeLogLevel: output.onDidChangeLogLevel,
		show: (at?: unknown, preserveFocus?: boolean) =>
			output.show(typeof at === "boolean" ? at : preserveFocus),
		clear: () => output.clear(),
		hide: () => output.hide(),
		dispose: () => undefined,
	};
}
