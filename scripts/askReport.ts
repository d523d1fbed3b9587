import type { TurnRecord } from "../src/vscode/turn/turnRecord.ts";

/** Reports from the driver inside VS Code to the script outside. */
export type AskReport =
	| { readonly kind: "started"; readonly what: string }
	| { readonly kind: "answered"; readonly turn: TurnRecord }
	| { readonly kind: "failed"; readonly message: string };
