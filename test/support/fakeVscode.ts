/** As much of VS Code as the adapters need outside of it; the tests inside the real one are in `test/inVscode`. */
export const workspace: {
	workspaceFolders: object[] | undefined;
	isTrusted: boolean;
	getConfiguration(): object;
} = {
	workspaceFolders: undefined,
	isTrusted: true,
	getConfiguration: () => ({ get: (_name: string, fallback: unknown) => fallback }),
};

/** What a person presses on a message. */
export const window: {
	showWarningMessage(...args: unknown[]): Promise<unknown>;
	showQuickPick(...args: unknown[]): Promise<unknown>;
} = {
	showWarningMessage: async () => undefined,
	showQuickPick: async () => undefined,
};

export const commands: { executeCommand(...args: unknown[]): Promise<unknown> } = {
	executeCommand: async () => undefined,
};

/** The class of addresses, as far as files go. */
export class Uri {
	readonly scheme = "file";
	readonly fsPath: string;

	private constructor(path: string) {
		this.fsPath = path;
	}

	static file(path: string): Uri {
		return new Uri(path);
	}

	toString(): string {
		return `file://${this.fsPath}`;
	}
}

export class CancellationError extends Error {
	override readonly name = "Canceled";
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

export class MarkdownString {
	readonly value: string;

	constructor(value: string) {
		this.value = value;
	}
}
