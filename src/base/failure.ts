export type FailureCode =
	| "NO_FOLDER"
	| "NO_INDEX"
	| "NO_MODEL"
	| "UNTRUSTED"
	| "UNSUPPORTED"
	| "BAD_INPUT"
	| "NOT_FOUND"
	| "WORKER_STOPPED"
	| "STORE_NEWER"
	| "STORE_UNREADABLE"
	| "MODEL_MISSING"
	| "BUSY"
	| "READ_ONLY"
	| "ENDPOINT_FAILED"
	| "NOT_ALLOWED"
	| "PERMISSIONS_UNREADABLE"
	| "CLI_MISSING"
	| "CLI_OLD"
	| "CLI_SIGN_IN"
	| "CLI_STOPPED"
	| "CLI_FAILED"
	| "MODEL_FAILED";

export class Failure extends Error {
	readonly code: FailureCode;

	constructor(code: FailureCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = "Failure";
		this.code = code;
	}
}

/** Checks the shape instead of the class, because each of our programs has its own copy of the class. */
export function isFailure(thrown: unknown): thrown is Failure {
	return thrown instanceof Error && thrown.name === "Failure" && "code" in thrown;
}

export function failureOf(thrown: unknown): Failure {
	if (!isFailure(thrown)) throw thrown;
	return thrown;
}

export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Resolves to `undefined` if the action rejects with a `Failure`; with `code`, only for this code. */
export async function unlessFailed<Result>(act: () => Promise<Result>, code?: FailureCode) {
	try {
		return await act();
	} catch (thrown) {
		if (isFailure(thrown) && (code ?? thrown.code) === thrown.code) return undefined;
		throw thrown;
	}
}

export function ifThere<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
	return unlessFailed(act, "NOT_FOUND");
}
