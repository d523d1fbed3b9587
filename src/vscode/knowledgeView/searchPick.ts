import * as vscode from "vscode";
import type { Hit, Knowledge } from "../../core/knowledge/knowledge.ts";
import { briefPlace } from "../../core/knowledge/place.ts";
import { isCancellation } from "../cancellation.ts";
import { openLocation } from "../extracted/extractedUri.ts";
import { locationOf } from "../folders.ts";
import { toldOf, translated } from "../reported.ts";
import type { Subject } from "./subject.ts";

const LIMIT = 20;

interface HitItem extends vscode.QuickPickItem {
	readonly hit?: Hit;
}

export interface SearchPickOptions {
	/** What is searched for at first. */
	readonly query: string;
	/** What need not be found. */
	readonly except?: Subject;
}

const ASK: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("comment-discussion"),
	tooltip: vscode.l10n.t("Ask Copilot-LD About This"),
};

/** Searches while a person types, and opens the passage that is chosen. It needs no chat and no language model. */
export function showSearch(
	knowledge: Knowledge,
	{ query: first, except }: SearchPickOptions = { query: "" },
): void {
	const pick = vscode.window.createQuickPick<HitItem>();
	pick.title = except ? vscode.l10n.t("Related Passages") : vscode.l10n.t("Search Knowledge Base");
	pick.placeholder = vscode.l10n.t("Search by meaning and by words");
	pick.value = first;
	let latest = new AbortController();
	const search = async (query: string) => {
		latest.abort();
		latest = new AbortController();
		const { signal } = latest;
		pick.busy = true;
		const items = query.trim() === "" ? [] : await itemsFor(knowledge, { query, except }, signal);
		if (signal.aborted) return;
		pick.items = items;
		pick.busy = false;
	};
	pick.onDidChangeValue((query) => void search(query));
	pick.onDidAccept(() => {
		const [chosen] = pick.selectedItems;
		if (chosen?.hit) void openHit(chosen.hit);
		pick.hide();
	});
	pick.onDidTriggerItemButton(({ item }) => {
		void vscode.commands.executeCommand("copilot-ld.askAbout", item.hit);
		pick.hide();
	});
	pick.onDidHide(() => {
		latest.abort();
		pick.dispose();
	});
	pick.show();
	void search(first);
}

interface Search {
	readonly query: string;
	readonly except: Subject | undefined;
}

/** What went wrong stands in the list, where the person looks. */
async function itemsFor(
	knowledge: Knowledge,
	{ query, except }: Search,
	signal: AbortSignal,
): Promise<HitItem[]> {
	try {
		const { hits, notices } = await knowledge.search({ query, limit: LIMIT, door: "chat" }, signal);
		const found = hits.filter((hit) => !isSame(hit, except)).map(toItem);
		const none =
			found.length === 0
				? [{ label: vscode.l10n.t("Nothing matches. Try other words."), alwaysShow: true }]
				: [];
		return [
			...found,
			...none,
			...notices.map((label) => ({
				label: translated(label),
				iconPath: new vscode.ThemeIcon("info"),
				alwaysShow: true,
			})),
		];
	} catch (thrown) {
		if (isCancellation(thrown) || signal.aborted) return [];
		return [{ label: toldOf(thrown), iconPath: new vscode.ThemeIcon("error"), alwaysShow: true }];
	}
}

function isSame(hit: Hit, except: Subject | undefined): boolean {
	const location = except && locationOf(hit);
	if (!location || location.uri.toString() !== except.uri.toString()) return false;
	return except.range === undefined || location.range.intersection(except.range) !== undefined;
}

function toItem(hit: Hit): HitItem {
	const detail = withoutIcons(hit.text.replace(/\s+/g, " ").slice(0, 200));
	const place = `${hit.path}:${briefPlace(hit.lines)}`;
	const description = withoutIcons(hit.via === undefined ? place : `${place} · ${hit.via}`);
	return { label: withoutIcons(hit.title), description, detail, alwaysShow: true, buttons: [ASK], hit };
}

/** VS Code would draw an icon where a document says `$(error)`. */
function withoutIcons(text: string): string {
	return text.replaceAll("$(", "$ (");
}

async function openHit(hit: Hit): Promise<void> {
	const location = locationOf(hit);
	if (location) await openLocation(location);
}
