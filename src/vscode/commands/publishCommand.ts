import * as vscode from "vscode";
import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import type { Publication, PublishExtent, PublishReport } from "../../core/knowledge/publication.ts";
import { withProgress } from "../cancellation.ts";
import { isConfirmed } from "../confirmLines.ts";
import { amounts, numeral } from "../l10n.ts";
import { setting } from "../settings.ts";

export async function runPublishCommand(publication: Publication): Promise<PublishReport | undefined> {
	const target = targetOf(setting("graph.endpoint"), setting("graph.updateEndpoint"));
	const extent = await withProgress({}, (_, signal) => publication.extent(signal));
	if (!(await mayPublish(extent, target.update))) return undefined;
	const { documents } = extent;
	const title = l10n.t("Copilot-LD: Publishing the graph");
	const publish = (removes: boolean) =>
		withProgress({ title, total: documents }, (tell, signal) => {
			const onProgress = (looked: number) =>
				tell(l10n.t("{0} of {1}", numeral(looked), amounts.documents(documents)));
			return publication.publish({ ...target, removes }, onProgress, signal);
		});
	const report = await publish(false);
	void vscode.window.showInformationMessage(`Copilot-LD: ${publishReport(report)}`);
	if (report.obsolete > 0 && (await mayRemove(report))) await publish(true);
	return report;
}

function targetOf(query: string, update: string) {
	const missing = l10n.t(
		"First set copilot-LD.graph.endpoint to the address of a SPARQL store: the statements are published there.",
	);
	if (query === "") throw new Failure("BAD_INPUT", missing);
	return { query, update: update || query.replace(/\/(?:query|sparql)\/?$/, "/update") };
}

async function mayPublish(extent: PublishExtent, update: string): Promise<boolean> {
	const publish = l10n.t("Publish");
	const details = [
		l10n.t("Each document becomes a named graph. Whoever can read the store can read all of it."),
		extent.withheld > 0 &&
			l10n.t("Left out because the chat may not see all of it: {0}.", amounts.documents(extent.withheld)),
	];
	const detail = details.filter(Boolean).join("\n\n");
	const [documents, statements] = [
		amounts.documents(extent.documents),
		amounts.statements(extent.statements),
	];
	const message = l10n.t("Publish {0} of {1} to {2}?", statements, documents, nameOf(update));
	return (await vscode.window.showInformationMessage(message, { modal: true, detail }, publish)) === publish;
}

/** Shortens an address to its origin and path: the account and the query string may contain keys. */
function nameOf(address: string): string {
	const url = URL.parse(address);
	return url ? url.origin + url.pathname : address;
}

function publishReport({ written, unchanged, statements, left }: PublishReport): string {
	const counts = [amounts.documents(written), amounts.statements(statements), numeral(unchanged)] as const;
	const parts = [
		l10n.t("{0} published ({1}), {2} unchanged.", ...counts),
		left > 0 &&
			l10n.t("Left out because they name files outside of the folders: {0}.", amounts.statements(left)),
	];
	return parts.filter(Boolean).join(" ");
}

function mayRemove({ obsolete }: PublishReport): Promise<boolean> {
	const message = l10n.t(
		"The store has {0} under the name of this folder that the index does not have. Remove what is gone?",
		amounts.graphs(obsolete),
	);
	const detail = l10n.t("Another folder of the same name may have published them.");
	return isConfirmed(message, l10n.t("Remove"), detail);
}
