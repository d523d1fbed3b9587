import { isAbsolute } from "node:path";
import { env, l10n } from "vscode";
import { isFailure } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import { BUILT_IN } from "../../core/knowledge/embedder.ts";
import type {
	IndexContents,
	IndexProgress,
	IndexReport,
	IndexStatus,
	Knowledge,
	Leg,
} from "../../core/knowledge/knowledge.ts";
import type { Settings } from "../../core/settings.ts";
import { amounts, counted, numeral, toldOf, translated } from "../l10n.ts";
import { setting, storageSettings } from "../settings.ts";

export function progressText(progress?: IndexProgress): string {
	if (!progress) return l10n.t("Comparing the index with the files");
	const { done, total, current } = progress;
	return total === 0
		? l10n.t("Listing files")
		: l10n.t("{0} of {1} indexed: {2}", numeral(done), amounts.files(total), current);
}

export function partialText({ done, total }: IndexProgress): string {
	return l10n.t(
		"The index is still being built: {0} of {1}. This answer does not include the files that are not indexed yet.",
		numeral(done),
		amounts.files(total),
	);
}

export function reportText({ indexed, removed, contents, durationMs }: IndexReport): string {
	if (contents.documents === 0) return nothingText(contents);
	const { documents, passages, failed } = contents;
	const holds = `${amounts.files(documents)}, ${amounts.passages(passages)}`;
	const trouble = failed.length > 0 ? [unreadText(failed.length)] : [];
	if (indexed + removed === 0) return [l10n.t("The index is up to date: {0}.", holds), ...trouble].join(" ");
	const done = [
		l10n.t("{0} indexed", amounts.files(indexed)),
		...(removed > 0 ? [l10n.t("{0} removed", numeral(removed))] : []),
	].join(", ");
	const seconds = (durationMs / 1000).toLocaleString(env.language, ONE_DIGIT);
	return [l10n.t("{0} in {1} s.", done, seconds), l10n.t("The index has {0}.", holds), ...trouble].join(" ");
}

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const unreadText = counted(l10n.t("1 file could not be read."), l10n.t("{0} files could not be read."));

export function nothingText({ skipped, failed }: IndexContents): string {
	const count = Object.values(skipped).reduce((sum, files) => sum + files, 0);
	const why = Object.keys(skipped).map((reason) =>
		translated(reason.replace(/^no reader for (\.\S+) files$/, "$1")),
	);
	const details = [
		...(count > 0 ? [l10n.t("{0} skipped: {1}", numeral(count), why.join(", "))] : []),
		...(failed.length > 0 ? [l10n.t("{0} failed", numeral(failed.length))] : []),
	];
	return details.length > 0
		? l10n.t("This folder has no files that Copilot-LD can read ({0}).", details.join("; "))
		: l10n.t("This folder has no files that Copilot-LD can read.");
}

/** Returns a message that another program updates the index. Rejects with any other error. */
export async function keptElsewhereText(thrown: unknown, status: Knowledge["status"]): Promise<string> {
	if (!isFailure(thrown) || thrown.code !== "BUSY") throw thrown;
	const { documents, passages } = await status(new AbortController().signal);
	return `${toldOf(thrown)} ${l10n.t("The index has {0}.", `${amounts.files(documents)}, ${amounts.passages(passages)}`)}`;
}

const LEGS: Readonly<Record<Leg, string>> = {
	text: l10n.t("full text"),
	vector: l10n.t("semantic"),
	entity: l10n.t("graph"),
	descriptor: l10n.t("descriptions"),
};

const ENGINES: Readonly<Record<IndexStatus["engine"], string>> = {
	memory: l10n.t("in memory"),
	lancedb: l10n.t("by LanceDB, where the index is stored"),
};

const STEP_ENGINES: Readonly<Record<Settings["agents.engine"], string>> = {
	auto: l10n.t("Copilot CLI if installed, otherwise a language model of VS Code"),
	cli: l10n.t("Copilot CLI"),
	model: l10n.t("language model of VS Code"),
};

const STATES: Readonly<Record<IndexStatus["state"], string>> = {
	empty: l10n.t("The index is **empty**."),
	indexing: l10n.t("The index is **being updated**."),
	paused: l10n.t("The index is **paused**."),
	ready: l10n.t("The index is **ready**."),
};

export function statusDocument(status: IndexStatus): string {
	const { state, documents, described, passages, resources, quads, embedder, legs, bytesOnDisk } = status;
	const lines = [
		`# Copilot-LD: ${l10n.t("index status")}`,
		"",
		STATES[state],
		"",
		"| | |",
		"| --- | --- |",
		row(l10n.t("Files"), numeral(documents)),
		status.flawed > 0 &&
			row(l10n.t("Files with problems"), l10n.t("{0} (see the Problems view)", numeral(status.flawed))),
		described > 0 &&
			row(l10n.t("Described"), l10n.t("{0} of {1}", numeral(described), amounts.documents(documents))),
		row(l10n.t("Passages"), numeral(passages)),
		row(l10n.t("Resources"), numeral(resources)),
		row(l10n.t("Statements"), numeral(quads)),
		row(l10n.t("Search methods"), legs.map((leg) => LEGS[leg]).join(", ") || l10n.t("none yet")),
		row(l10n.t("Searched"), ENGINES[status.engine]),
		row(
			l10n.t("Search model"),
			embedder.startsWith(BUILT_IN) ? l10n.t("built in") : escapeMarkdown(embedder),
		),
		...chosenParts(),
		row(l10n.t("On disk"), `${(bytesOnDisk / 1e6).toLocaleString(env.language, ONE_DIGIT)} MB`),
		...section(l10n.t("Notes"), status.notices.map(translated)),
		...section(
			l10n.t("Skipped"),
			Object.entries(status.skipped).map(
				([reason, count]) => `${amounts.files(count)}: ${translated(reason)}`,
			),
		),
		...section(
			l10n.t("Failed"),
			status.failed.map(({ path, reason }) => `${path}: ${translated(reason)}`),
		),
	];
	return lines.filter((line) => line !== false).join("\n");
}

function chosenParts(): string[] {
	const { uri = "" } = storageSettings();
	const endpoint = setting("graph.endpoint");
	return [
		row(l10n.t("Stored in"), uri === "" ? l10n.t("VS Code's storage") : addressText(uri)),
		row(l10n.t("Graph queries"), endpoint === "" ? l10n.t("statements in the files") : addressText(endpoint)),
		row(l10n.t("Agent chains run on"), STEP_ENGINES[setting("agents.engine")]),
	];
}

function addressText(place: string): string {
	if (isAbsolute(place) || !URL.canParse(place)) return escapeMarkdown(place);
	const { protocol, host, pathname } = new URL(place);
	return escapeMarkdown(`${protocol}//${host}${pathname}`);
}

function row(name: string, value: string): string {
	return `| ${name} | ${value} |`;
}

function section(title: string, items: readonly string[]): string[] {
	return items.length === 0
		? []
		: ["", `## ${title}`, "", ...items.map((item) => `- ${escapeMarkdown(item)}`)];
}
