import { NotificationType } from "vscode-jsonrpc";
import type { SessionChange } from "../core/session/session.ts";

/** The worker tells what has become of the sessions that it changed. */
export const sessionsChanged = new NotificationType<{ readonly changes: readonly SessionChange[] }>(
	"copilot-ld/sessions/changed",
);
