import assert from "node:assert/strict";
import { test } from "node:test";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { openPolicy } from "./policy/openPolicy.ts";
import { never } from "./workerProcess.ts";

const DOOR = { door: "chat" } as const;

const FILES = {
	"lights.ttl": `@prefix v: <https://e.org/v#> .
<https://e.org/1> v:note "Nameless" .
<https://e.org/2> a v:Light ; v:name "Old Light" .
`,
	"picture.bin": "",
	"Über mich.md": "# Me\n\nI keep the old light on the isle, and nobody helps me.\n",
	"Weg.md": "# Way\n\nThe way to the light leads along the shore and is steep.\n",
};

test("the kinds of an overview lead to their members: of a class to its things, of an ending to documents", async (t) => {
	const { connection } = await openPolicy(t, "exclude: [.copilot-ld/]\n", FILES);
	const { things, knowledge, catalog } = createPortsClient(connection);
	const asked = { query: "What is this about?", wantsAnswer: true, ...DOOR };
	const { kinds = [] } = (await knowledge.search(asked, never)).answer?.overview ?? {};
	const light = kinds.find(({ iri }) => iri === "https://e.org/v#Light");
	assert.deepEqual([light?.name, light?.count], ["Light", 1]);
	assert.equal(kinds.find(({ name }) => name === ".md")?.count, 2);
	const members = await things.find({ words: "", type: light?.iri ?? "", limit: 9, ...DOOR }, never);
	assert.deepEqual(
		members.map(({ label, place }) => [label, place?.lines.start]),
		[["Old Light", 3]],
	);
	assert.equal((await catalog.documents({ ending: ".md" }, never)).length, 2);
	assert.ok((await catalog.documents({}, never)).every(({ state }) => state.kind !== "indexed"));
});
