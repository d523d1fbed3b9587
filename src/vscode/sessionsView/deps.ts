import type * as vscode from "vscode";
import type { SourcedPolicy } from "../../core/knowledge/catalog.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { Memory, SessionChange, Sessions } from "../../core/session/session.ts";
import type { ViewPart } from "../../protocol/webview.ts";
import type { RunningSteps } from "../steps/runningSteps.ts";

/** Something of a part changed; with `changes` nothing else of it did. */
export interface ViewChange {
	readonly part: ViewPart;
	readonly changes?: readonly SessionChange[];
}

export interface ViewPorts {
	readonly sessions: Sessions;
	readonly memory: Memory;
	readonly permissions: Permissions;
	readonly steps: Pick<RunningSteps, "stop">;
	policies(): Promise<readonly SourcedPolicy[]>;
	/** URI of the window's first folder, as sessions and rules name it; empty if there is none. */
	workspace(): string;
}

export interface SessionsViewDeps extends ViewPorts {
	/** Fires when something of a part changed, while a turn runs, too. */
	readonly onDidChange: vscode.Event<ViewChange>;
	readonly extensionUri: vscode.Uri;
	readonly log: vscode.LogOutputChannel;
}
