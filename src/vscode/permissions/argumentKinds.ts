import { l10n } from "vscode";
import type { RequestArgument } from "../../core/permission/permission.ts";

export const KINDS: Readonly<Record<RequestArgument["kind"], string>> = {
	command: l10n.t("command"),
	path: l10n.t("path"),
	host: l10n.t("host"),
	text: l10n.t("text"),
};
