import type * as vscode from "vscode";
import type { Things } from "../../core/knowledge/things.ts";
import type { SessionReader } from "../../core/session/session.ts";
import type { FolderReadiness } from "../worker/readiness.ts";

export interface GraphViewDeps {
	readonly things: Things;
	readonly sessions: SessionReader;
	readonly readiness: FolderReadiness;
	readonly extensionUri: vscode.Uri;
	readonly log: vscode.LogOutputChannel;
}
