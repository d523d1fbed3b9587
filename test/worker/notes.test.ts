import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { test } from "node:test";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { applyEdits } from "../../src/worker/parsing/renameInFile.ts";
import { openPolicy } from "./policy/openPolicy.ts";
import { never, unheard } from "./workerProcess.ts";

const DOOR = { door: "chat" } as const;

const VAULT = {
	"daily/monday.md":
		"# Monday\n\nMet [[anna]] about [[projects/Lamp|the lamp]], [[anna#Work]], [[Nobody]] and [[Plan]].\n",
	"daily/tuesday.md": "# Tuesday\n\n[Anna](anna.md) wrote, see ![[anna]] and [[../people/anna]].\n",
	"people/anna.md": "# Anna\n\n## Work\n\nKnows [[Lamp]].\n",
	"projects/Lamp.md": "# Lamp\n",
	"projects/old/Plan.md": "# Old plan\n",
	"projects/Plan.md": "# Plan\n",
};

test("links between notes mean the note of that name wherever it is, also while notes come and go", async (t) => {
	const { knowledge, workspace, connection } = await openPolicy(t, "exclude: [.copilot-ld/]\n", VAULT);
	const { things } = createPortsClient(connection);
	const at = workspace.uri;
	const linksOf = async (path: string) => {
		const links = await things.links({ iri: at(path), direction: "outgoing", ...DOOR }, never);
		return links
			.map(({ thing }) => thing.id.slice(at("x").length - 1))
			.filter((id) => id.includes(".md"))
			.sort();
	};
	assert.deepEqual(await linksOf("daily/monday.md"), [
		"daily/Nobody.md",
		"people/anna.md",
		"people/anna.md#Work",
		"projects/Lamp.md",
		"projects/Plan.md",
	]);
	assert.deepEqual(await linksOf("daily/tuesday.md"), ["people/anna.md"]);
	const pointing = await things.pointers({ iri: at("people/anna.md"), ...DOOR }, never);
	assert.deepEqual(
		pointing.map(({ uri }) => uri.slice(at("x").length - 1)),
		["daily/monday.md", "daily/tuesday.md"],
	);
	// As the editor reads the link, before it knows of other folders.
	const view = await things.describe({ iri: at("daily/anna.md"), ...DOOR }, never);
	assert.equal(view?.id, at("people/anna.md"));
	const named = await things.named({ iris: [at("daily/anna.md"), at("daily/Nobody.md")], ...DOOR }, never);
	assert.deepEqual(Object.keys(named).includes(at("daily/anna.md")), true);
	await workspace.write({ "notes/Nobody.md": "# Nobody\n" });
	await rm(workspace.path("projects/Lamp.md"));
	await knowledge.index({ rebuild: false }, unheard, never);
	const links = await linksOf("daily/monday.md");
	assert.ok(links.includes("notes/Nobody.md") && !links.includes("daily/Nobody.md"), links.join());
	assert.ok(links.includes("daily/projects/Lamp.md"), links.join());
});

test("a renamed note is renamed in every link that means it, each in its own spelling", async (t) => {
	const { workspace, connection } = await openPolicy(t, "exclude: [.copilot-ld/]\n", VAULT);
	const { things } = createPortsClient(connection);
	const [iri, to] = [workspace.uri("people/anna.md"), workspace.uri("people/Anna Holm.md")];
	const { files } = await things.rename({ iri, to, open: [], ...DOOR }, never);
	const texts = await Promise.all(
		files.map(async ({ uri, edits }) => {
			const path = uri.slice(workspace.uri("x").length - 1);
			return [path, applyEdits(await readFile(workspace.path(path), "utf8"), edits)];
		}),
	);
	assert.deepEqual(Object.fromEntries(texts), {
		"daily/monday.md": VAULT["daily/monday.md"].replaceAll("[[anna", "[[Anna Holm"),
		"daily/tuesday.md":
			"# Tuesday\n\n[Anna](Anna%20Holm.md) wrote, see ![[Anna Holm]] and [[../people/Anna Holm]].\n",
	});
});
