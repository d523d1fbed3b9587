import { Failure } from "../base/failure.ts";

export type TroubleKind =
	| "unreachable"
	| "silent"
	| "keyRefused"
	| "modelUnknown"
	| "contextExceeded"
	| "rateLimited"
	| "redirected"
	| "refused"
	| "serverFailed"
	| "malformed"
	| "brokenOff";

/** Why a server gave no answer, in words that say what to do. */
export class ModelTrouble extends Failure {
	readonly kind: TroubleKind;

	constructor(kind: TroubleKind, message: string, options?: ErrorOptions) {
		super("MODEL_FAILED", message, options);
		this.kind = kind;
	}
}
