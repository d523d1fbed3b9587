import assert from "node:assert/strict";
import { suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import { invokeTool } from "./chat.ts";
import { file, fixesAt, hoverAt, open, positionOf, provided, removeAfter, write } from "./workbench.ts";

const GANNET = "https://merrow.example/id/light/gannet-rock";
const NOTE = `@prefix light: <https://merrow.example/id/light/> .
@prefix schema: <https://schema.org/> .
light:draft schema:about light:gannet-rock .

`;

const MENDED = `@prefix light: <https://merrow.example/id/light/> .
@prefix schema: <https://schema.org/> .
light:mended schema:about light:ganet-rock ; owl:sameAs light:x .
`;

suite("names in the editor", () => {
	suiteSetup(async () => {
		// The editor shows nothing before the workspace has an index.
		await invokeTool("copilot-ld_search_knowledge", { query: "Gannet Rock" });
		await write("data/draft.ttl", NOTE);
		await write("data/mended.ttl", MENDED);
		for (const name of ["draft", "mended"])
			await vscode.commands.executeCommand("copilot-ld.reindexFile", file(`data/${name}.ttl`));
	});

	removeAfter("data/draft.ttl", "data/mended.ttl");

	test("a hover over a prefixed name in Turtle shows the resource, class, values and lines", async () => {
		const text = await hoverOn("data/draft.ttl", "light:gannet-rock");
		assert.match(text, /\*\*Gannet Rock Light\*\*/);
		assert.ok(text.includes(GANNET));
		assert.match(text, /Light/);
		assert.match(text, /lights\.html:\d+/);
		assert.match(text, /statements point to it/);
	});

	test("definitions and references select the resource's name in each file", async () => {
		const document = await open("data/draft.ttl");
		const at = positionOf(document, "light:gannet-rock");
		const links = await provided<vscode.LocationLink[]>("Definition", document, at);
		const found = await Promise.all(
			links.map(async ({ targetUri, targetRange }) => {
				const target = await vscode.workspace.openTextDocument(targetUri);
				return `${vscode.workspace.asRelativePath(targetUri)} ${target.getText(targetRange)}`;
			}),
		);
		assert.ok(found.includes(`lights.html ${GANNET}`), found.join());
		assert.equal(new Set(links.map(({ targetUri }) => targetUri.path)).size, links.length, found.join());
		const references = await provided<vscode.Location[]>("Reference", document, at);
		const endings = new Set(references.map(({ uri }) => uri.path.slice(uri.path.lastIndexOf("."))));
		assert.deepEqual([...endings].sort(), [".html", ".jsonld", ".md", ".ttl"]);
		const story = references.find(({ uri }) => uri.path.endsWith("long-sea.md"));
		assert.ok(story);
		assert.equal((await vscode.workspace.openTextDocument(story.uri)).getText(story.range), GANNET);
	});

	test("Turtle completes resources by name and classes after `a`, and declares missing prefixes", async () => {
		const light = await completed("gannet", "Gannet Rock Light");
		assert.deepEqual(light, { text: "light:gannet-rock", edits: [] });
		const lens = await completed("light:new a lens", "lens");
		assert.match(String(lens?.text), /^\w+:Lens$/);
		assert.match(lens?.edits[0] ?? "", /^@prefix \w+: <https:\/\/merrow\.example\/vocab#> \.\n$/);
	});

	test("terms of common vocabularies are completed and explained with the vocabulary's comments", async () => {
		const items = await completions("light:new schema:actionStat");
		const item = items.find(({ insertText }) => insertText === "schema:actionStatus");
		assert.match(String(item?.documentation), /current disposition of the Action/);
		const text = "@prefix prov: <http://www.w3.org/ns/prov#> .\n<x> prov:wasDerivedFrom <y> .\n";
		await write("data/prov.ttl", text);
		assert.match(await hoverOn("data/prov.ttl", "prov:wasDerivedFrom"), /should be used when applicable/);
		await vscode.workspace.fs.delete(file("data/prov.ttl"));
	});

	test("JSON-LD, HTML, front matter, wikilinks and queries complete a resource in the syntax of the format", async () => {
		const context = `{"light": "https://merrow.example/id/light/", "about": {"@id": "urn:about", "@type": "@id"}}`;
		const typed = {
			"typed.jsonld": [`{"@context": ${context}, "about": "gannet`, `"}`],
			"typed.html": [`<div itemscope><a itemprop="about" href="gannet`, `"></a></div>`],
			"typed.md": ["---\nabout: gannet", "\n---\n"],
			"stories/typed.md": ["See [[long se", ""],
			"typed.rq": ["PREFIX light: <https://merrow.example/id/light/> SELECT * { gannet", " ?is ?value }"],
		};
		for (const [path, [before = "", after = ""]] of Object.entries(typed)) await write(path, before + after);
		const found = await Promise.all(
			Object.entries(typed).map(async ([path, [before = ""]]) => {
				const document = await open(path);
				const at = document.positionAt(before.length);
				const { items } = await provided<vscode.CompletionList>("CompletionItem", document, at);
				const titles = /^Gannet Rock Light$|^The Long Sea$/;
				const item = items.find(({ label }) => typeof label !== "string" && titles.test(label.label));
				return [path, item?.insertText] as const;
			}),
		);
		for (const path of Object.keys(typed)) await vscode.workspace.fs.delete(file(path));
		assert.deepEqual(Object.fromEntries(found), {
			"typed.jsonld": "light:gannet-rock",
			"typed.html": GANNET,
			"typed.md": GANNET,
			"stories/typed.md": "long-sea]]",
			"typed.rq": "light:gannet-rock",
		});
	});

	test("quick fixes for an undescribed name offer the nearest name or a stub", async () => {
		const document = await open("data/mended.ttl");
		const change = "Change to light:gannet-rock (Gannet Rock Light)";
		assert.deepEqual(await fixesAt(document, "light:ganet-rock"), [change, "Describe light:ganet-rock here"]);
		assert.deepEqual(await fixesAt(document, "owl:sameAs"), ["Declare prefix owl:"]);
	});

	test("a described resource shows the number of references to the resource", async () => {
		const equipment = await open("data/equipment.ttl");
		const lenses = await provided<vscode.CodeLens[]>("CodeLens", equipment, 100);
		assert.ok(lenses.some(({ command }) => /^\d+ references?$/.test(command?.title ?? "")));
	});
});

async function hoverOn(path: string, words: string): Promise<string> {
	const document = await open(path);
	return hoverAt(document, positionOf(document, words));
}

async function completed(typed: string, label: string) {
	const items = await completions(typed);
	const item = items.find((each) => typeof each.label !== "string" && each.label.label === label);
	return (
		item && { text: item.insertText, edits: (item.additionalTextEdits ?? []).map(({ newText }) => newText) }
	);
}

async function completions(typed: string): Promise<vscode.CompletionItem[]> {
	const document = await open("data/draft.ttl");
	const editor = await vscode.window.showTextDocument(document);
	const end = document.lineAt(document.lineCount - 1).range.end;
	await editor.edit((edit) => edit.insert(end, typed));
	const at = end.translate(0, typed.length);
	const { items } = await provided<vscode.CompletionList>("CompletionItem", document, at);
	await editor.edit((edit) => edit.delete(new vscode.Range(end, at)));
	return items;
}
