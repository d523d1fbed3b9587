import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The parts of VS Code that adapters need in tests without it. Tests in VS Code are in `test/inVscode`. */
export const workspace = {
	workspaceFolders: undefined as object[] | undefined,
	isTrusted: true,
	getConfiguration: (): object => ({
		get: (_name: string, fallback: unknown) => fallback,
		inspect: () => undefined,
	}),
	onDidGrantWorkspaceTrust: () => undefined,
	fs: {
		stat: async ({ fsPath }: Uri) => {
			const found = await stat(fsPath);
			return { type: typeOf(found), size: found.size };
		},
		readFile: ({ fsPath }: Uri) => readFile(fsPath),
		readDirectory: async ({ fsPath }: Uri) =>
			(await readdir(fsPath, { withFileTypes: true })).map((entry) => [entry.name, typeOf(entry)]),
	},
	openTextDocument: async (what: Uri | { readonly content: string }): Promise<object> => {
		const text = "content" in what ? what.content : await readFile(what.fsPath, "utf8");
		return { getText: () => text, lineCount: text.split("\n").length, save: async () => true };
	},
	asRelativePath: ({ fsPath }: Uri) => fsPath,
	applyEdit: async ({ made }: WorkspaceEdit) => {
		for (const { uri, contents, flag } of made) {
			await mkdir(dirname(uri.fsPath), { recursive: true });
			await writeFile(uri.fsPath, contents, { flag });
		}
		return true;
	},
};

export const extensions = {
	getExtension: () => ({ packageJSON: JSON.parse(readFileSync("package.json", "utf8")) }),
};

type Showing = (...args: unknown[]) => Promise<unknown>;
type InputBox = { readonly value?: string; validateInput(value: string): unknown };
const unanswered: Showing = async () => undefined;

export const window = {
	tabGroups: { all: [] as readonly unknown[] },
	...{ showWarningMessage: unanswered, showInformationMessage: unanswered, showErrorMessage: unanswered },
	...{ showQuickPick: unanswered, showTextDocument: unanswered },
	...{ showOpenDialog: unanswered, showSaveDialog: unanswered },
	showInputBox: async (_options: InputBox): Promise<unknown> => undefined,
	createTreeView: (..._args: unknown[]): { dispose(): void } => Disposable.from(),
	withProgress: <T>(
		_options: unknown,
		run: (progress: { report(): void }, token: CancellationTokenSource["token"]) => Promise<T>,
	) => run({ report: () => undefined }, new CancellationTokenSource().token),
};

/** Answers each warning with this button; returns the details that are shown. */
export function press(button: string | undefined): string[] {
	const shown: string[] = [];
	window.showWarningMessage = async (_message, options) => {
		shown.push((options as { detail: string }).detail);
		return button;
	};
	return shown;
}

export const commands: {
	executeCommand(...args: unknown[]): Promise<unknown>;
	registerCommand(id: string, run: (...args: never[]) => unknown): { dispose(): void };
} = { executeCommand: async () => undefined, registerCommand: () => Disposable.from() };

export const authentication = { getSession: unanswered };

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

function typeOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean }): number {
	if (entry.isSymbolicLink()) return FileType.SymbolicLink;
	return entry.isDirectory() ? FileType.Directory : FileType.File;
}

export class Range {
	readonly start: { readonly line: number };

	constructor(line: number) {
		this.start = { line };
	}
}

export const Disposable = {
	from: (...all: { dispose(): void }[]) => ({
		dispose: () => {
			for (const one of all) one.dispose();
		},
	}),
};

export class ThemeIcon {}
export class ThemeColor {}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export const TreeItem = keeping("label", "collapsibleState");

export const lm: {
	invokeTool(name: string, options: object): Promise<{ readonly content: unknown[] }>;
	selectChatModels(selector: { readonly vendor: string }): Promise<readonly object[]>;
} = { selectChatModels: async () => [], invokeTool: async () => ({ content: [] }) };

export class EventEmitter<Value> {
	readonly #listeners = new Set<(value: Value) => void>();
	readonly event = (listener: (value: Value) => void) => {
		this.#listeners.add(listener);
		return { dispose: () => void this.#listeners.delete(listener) };
	};
	fire(value: Value): void {
		for (const listener of this.#listeners) listener(value);
	}
	dispose(): void {
		this.#listeners.clear();
	}
}

export class Uri {
	readonly scheme = "file";
	readonly fsPath: string;
	readonly fragment: string;

	private constructor(path: string, fragment = "") {
		this.fsPath = path;
		this.fragment = fragment;
	}

	with({ fragment }: { readonly fragment: string }): Uri {
		return new Uri(this.fsPath, fragment);
	}

	get path(): string {
		return this.fsPath;
	}

	static file(path: string): Uri {
		return new Uri(path);
	}

	static parse(uri: string): Uri {
		return new Uri(fileURLToPath(uri));
	}

	static joinPath({ fsPath }: Uri, ...names: string[]): Uri {
		return new Uri(join(fsPath, ...names));
	}

	toString(): string {
		return `file://${this.fsPath}${this.fragment === "" ? "" : `#${this.fragment}`}`;
	}
}

export class WorkspaceEdit {
	readonly made: { uri: Uri; contents: Uint8Array | string; flag: string }[] = [];

	createFile(uri: Uri, options: { contents?: Uint8Array; ignoreIfExists?: boolean } = {}): void {
		const { contents = new Uint8Array(), ignoreIfExists = false } = options;
		// Appending empty contents leaves an existing file unchanged.
		this.made.push({ uri, contents, flag: ignoreIfExists ? "a" : "wx" });
	}

	replace(uri: Uri, _: Range, text: string): void {
		this.made.push({ uri, contents: text, flag: "w" });
	}
}

/** English, as without a translation; a test may set a bundle. */
export const l10n = {
	bundle: undefined as Readonly<Record<string, string>> | undefined,
	t: (message: string, ...values: unknown[]) =>
		message.replaceAll(/\{(\d+)\}/g, (gap, at) => `${values[Number(at)] ?? gap}`),
};

export const ProgressLocation = { Notification: 15, Window: 10 };
export const env: { language: string; remoteName?: string } = { language: "en" };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };

export class CancellationError extends Error {
	override readonly name = "Canceled";
}

export class CancellationTokenSource {
	readonly token = { isCancellationRequested: false, onCancellationRequested: () => undefined };
	readonly cancel = () => undefined;
	readonly dispose = () => undefined;
}

/** Creates a class whose instances store their constructor arguments under these names. */
function keeping(...names: readonly string[]) {
	return class {
		constructor(...values: readonly unknown[]) {
			for (const [at, name] of names.entries()) Object.assign(this, { [name]: values[at] });
		}
	};
}

export const Location = keeping("uri", "range");
export const LanguageModelTextPart = keeping("value");
export const MarkdownString = keeping("value");
export const ChatRequestTurn = keeping("prompt");

export class LanguageModelToolCallPart {}

export class LanguageModelDataPart extends keeping("data", "mimeType") {
	static readonly json = (value: unknown, mimeType: string) =>
		new LanguageModelDataPart(Buffer.from(JSON.stringify(value)), mimeType);
}

export class ChatResponseTurn {
	readonly result: { readonly metadata: object };

	constructor(metadata: object) {
		this.result = { metadata };
	}
}

export class LanguageModelError extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}

	static readonly NotFound = { name: "NotFound" };
	static readonly NoPermissions = { name: "NoPermissions" };
	static readonly Blocked = { name: "Blocked" };
}
