import * as vscode from "vscode";
import { once } from "../../base/jobs/once.ts";
import { isRecord } from "../../base/values.ts";
import { entriesAt, valuesOf } from "../../plugins/help/schemaAt.ts";
import { spotAt, type YamlSpot } from "../../plugins/help/yamlSpot.ts";
import { CONFIG_FILES, PLUGIN_FILES } from "./pluginDocuments.ts";

/** Explains files of plugins and of their configuration, and completes them, by the schemas that they are checked by. */
export function registerPluginHelp(schemas: vscode.Uri): vscode.Disposable {
	return vscode.Disposable.from(
		...[
			[PLUGIN_FILES, "plugin.schema.json"] as const,
			[CONFIG_FILES, "plugins.schema.json"] as const,
		].flatMap(([selector, file]) => providersFor(selector, vscode.Uri.joinPath(schemas, file))),
	);
}

type Entries = ReturnType<typeof entriesAt>;

function providersFor(selector: vscode.DocumentSelector, file: vscode.Uri): vscode.Disposable[] {
	const schema = once(async () => {
		const parsed: unknown = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
		return isRecord(parsed) ? parsed : {};
	});
	const look = async (document: vscode.TextDocument, position: vscode.Position) => {
		const spot = spotAt(document.getText(), position);
		return { spot, found: entriesAt(await schema.get(), spot.path, spot.beside) };
	};
	return [
		vscode.languages.registerHoverProvider(selector, {
			provideHover: async (document, position) => {
				const { spot, found } = await look(document, position);
				const range = document.getWordRangeAtPosition(position, /[\w-]+/);
				const words = found.map((entries) => entries[spot.key]?.["description"]);
				const text = words.find((one) => typeof one === "string");
				if (!range || !text || document.getText(range) !== spot.key) return undefined;
				return new vscode.Hover(new vscode.MarkdownString().appendText(text), range);
			},
		}),
		vscode.languages.registerCompletionItemProvider(
			selector,
			{
				provideCompletionItems: async (document, position) => {
					const { spot, found } = await look(document, position);
					return spot.isKey ? nameItems(spot, found) : valueItems(spot, found);
				},
			},
			...[" ", "{", ","],
		),
	];
}

/** What stands there already is not offered again. */
function nameItems({ beside }: YamlSpot, found: Entries): vscode.CompletionItem[] {
	const items = new Map<string, vscode.CompletionItem>();
	for (const entries of found)
		for (const [name, { description }] of Object.entries(entries)) {
			if (items.has(name) || beside.has(name)) continue;
			const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Field);
			if (typeof description === "string") item.documentation = description;
			item.insertText = `${name}: `;
			items.set(name, item);
		}
	return [...items.values()];
}

function valueItems({ key }: YamlSpot, found: Entries): vscode.CompletionItem[] {
	const values = new Set(found.flatMap((entries) => valuesOf(entries[key])));
	return [...values].map((value) => new vscode.CompletionItem(value, vscode.CompletionItemKind.EnumMember));
}
