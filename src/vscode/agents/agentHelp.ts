import * as vscode from "vscode";
import { listOf, textOf } from "../../base/values.ts";
import { agentsAt } from "../../core/agent/agentNames.ts";
import { AGENT_FIELDS, AGENT_TOOLS } from "../../loads/agentFields.ts";
import { translated } from "../l10n.ts";
import { agentDocuments, type LiveAgents } from "./liveAgents.ts";

export function registerAgentHelp(live: LiveAgents): vscode.Disposable {
	const selector = agentDocuments();
	return vscode.Disposable.from(
		vscode.languages.registerHoverProvider(selector, {
			provideHover: (document, position) => hoverAt(live, document, position),
		}),
		vscode.languages.registerCompletionItemProvider(
			selector,
			{ provideCompletionItems: (document, position) => completionsAt(live, document, position) },
			" ",
			"[",
			",",
			'"',
			"'",
		),
	);
}

/** Where in the front matter a position is; `undefined` below it. */
function fieldAt(
	document: vscode.TextDocument,
	{ line }: vscode.Position,
): { readonly name: string; readonly isKey: boolean } | undefined {
	const lines = document
		.getText(new vscode.Range(0, 0, line + 1, 0))
		.split(/\r?\n/)
		.slice(0, line + 1);
	if (!/^\uFEFF?---[ \t]*$/.test(lines[0] ?? "") || line === 0) return undefined;
	if (lines.slice(1).some((text) => /^---[ \t]*$/.test(text))) return undefined;
	const own = lines[line] ?? "";
	if (/^[\w-]*$/.test(own)) return { name: own, isKey: true };
	const name = lines
		.map((text) => /^([\w-]+)[ \t]*:/.exec(text)?.[1])
		.findLast((found) => found !== undefined);
	return name === undefined ? undefined : { name, isKey: false };
}

async function completionsAt(
	live: LiveAgents,
	document: vscode.TextDocument,
	position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
	const field = fieldAt(document, position);
	if (!field) return [];
	if (field.isKey) return fieldItems(document);
	const { Value, Reference, Constant } = vscode.CompletionItemKind;
	switch (field.name) {
		case "tools":
			return [...AGENT_TOOLS, ...contributedTools()].map((tool) => new vscode.CompletionItem(tool, Value));
		case "handoffs":
			return isAgentName(document, position) ? agentItems(live, Reference) : [];
		case "model":
			return (await vscode.lm.selectChatModels()).map(
				({ name }) => new vscode.CompletionItem(name, Constant),
			);
		case "target":
			return ["vscode", "github-copilot"].map((value) => new vscode.CompletionItem(value, Constant));
		case "infer":
		case "user-invocable":
		case "disable-model-invocation":
			return ["true", "false"].map((value) => new vscode.CompletionItem(value, Constant));
		default:
			return [];
	}
}

function isAgentName(document: vscode.TextDocument, { line, character }: vscode.Position): boolean {
	return /^[ \t-]*agent:[ \t]*[^:]*$/.test(document.lineAt(line).text.slice(0, character));
}

async function agentItems(
	live: LiveAgents,
	kind: vscode.CompletionItemKind,
): Promise<vscode.CompletionItem[]> {
	const { agents } = await live.registryOrNone();
	return agents.map(({ name, description }) => {
		const item = new vscode.CompletionItem({ label: name, description }, kind);
		item.insertText = name;
		return item;
	});
}

/** What is there already is not offered again. */
function fieldItems(document: vscode.TextDocument): vscode.CompletionItem[] {
	const text = document.getText();
	return AGENT_FIELDS.filter(({ name }) => !new RegExp(`^${name}[ \\t]*:`, "m").test(text)).map(
		({ name, description, example }) => {
			const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Field);
			item.documentation = translated(description);
			item.insertText = `${name}: ${example}`;
			return item;
		},
	);
}

async function hoverAt(
	live: LiveAgents,
	document: vscode.TextDocument,
	position: vscode.Position,
): Promise<vscode.Hover | undefined> {
	const field = fieldAt(document, position);
	const range = document.getWordRangeAtPosition(position, /[^\s:'"-][^:'"]*/);
	if (!field || field.isKey || !range) return undefined;
	const word = document.getText(range).trim();
	const isKey = range.start.character === 0;
	const text = isKey ? describeField(word) : await describeAgent(live, field.name, word);
	return text === undefined
		? undefined
		: new vscode.Hover(new vscode.MarkdownString().appendText(text), range);
}

function describeField(name: string): string | undefined {
	const field = AGENT_FIELDS.find((one) => one.name === name);
	return field && translated(field.description);
}

async function describeAgent(live: LiveAgents, field: string, name: string): Promise<string | undefined> {
	if (field !== "handoffs") return undefined;
	const { agents } = await live.registryOrNone();
	return agentsAt(name, agents)[0]?.description;
}

export function contributedTools(): ReadonlySet<string> {
	const declared = vscode.extensions.all.flatMap(({ packageJSON }) => {
		const contributes: unknown = packageJSON?.contributes;
		return [
			...listOf(contributes, "languageModelTools"),
			...listOf(contributes, "languageModelToolSets"),
		].flatMap((tool) => [textOf(tool, "toolReferenceName"), textOf(tool, "name")]);
	});
	const names = [...declared, ...vscode.lm.tools.map(({ name }) => name)];
	return new Set(names.filter((name) => name !== undefined));
}
