import assert from "node:assert/strict";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";
import { test } from "node:test";
import type { Descriptor } from "../../../src/core/knowledge/descriptor.ts";
import type { DocumentRecord } from "../../../src/core/knowledge/document.ts";
import { literal, namedNode, type Quad, subjectOf, type Term } from "../../../src/core/knowledge/rdf.ts";
import { createManifest } from "../../../src/store/database/database.ts";
import { openStore } from "../../../src/store/openStore.ts";
import { entryOf, readEntry, recordOf, type Store } from "../../../src/store/port/store.ts";
import { readQuads, writeQuads } from "../../../src/store/tables/documentTable.ts";
import { portOf } from "../../support/listening.ts";
import { sampleDocument } from "../sampleDocument.ts";
import { openFilled, openIn, openTemporary } from "../temporaryStore.ts";

const PLAIN: DocumentRecord = {
	...{ uri: "file:///w/a.md", format: "markdown", hash: "1f", size: 10, modifiedMs: 1000, title: "A" },
	...{ state: { kind: "indexed" }, passages: 3, resources: 2, quads: 5, problems: [] },
};

const LINES = { start: 1, end: 1 };
const SAID = '"state":{"kind":"indexed"} "passages":9,"resources":9,"quads":9,"problems":[]}';

const records: Record<string, DocumentRecord> = {
	"a plain record": PLAIN,
	"a record that waits for vectors": { ...PLAIN, isPending: true },
	"a record with a problem": { ...PLAIN, problems: [{ severity: "error", message: SAID, lines: LINES }] },
	"a skipped record": { ...PLAIN, state: { kind: "skipped", reason: SAID }, passages: 0 },
	"a failed record that seems to end early": { ...PLAIN, state: { kind: "failed", reason: `x${SAID}` } },
	"a record with pages": { ...PLAIN, parts: [{ name: SAID, line: 1, lines: 2 }] },
};

for (const [name, record] of Object.entries(records))
	test(`${name} is read back unchanged`, () => {
		const kept = entryOf(record, 7);
		const read = readEntry(record.uri, 7, JSON.stringify(record));
		assert.deepEqual(read, kept);
		assert.deepEqual(recordOf(read), record);
		assert.equal(read.isSound, record.state.kind === "indexed" && record.problems.length === 0);
	});

test("the sums of a manifest are updated when documents are set and deleted", () => {
	const pending = { ...PLAIN, uri: "file:///w/b.md", isPending: true } as const;
	const manifest = createManifest([entryOf(PLAIN, 1), entryOf(pending, 2)]);
	const sums = () => [manifest.documents.size, manifest.passages, manifest.pending];
	assert.deepEqual(sums(), [2, 6, 3]);
	manifest.set([entryOf({ ...PLAIN, passages: 4 }, 3)]);
	assert.deepEqual([...sums(), manifest.uriOf(1), manifest.passagesOf(3)], [2, 7, 3, undefined, 4]);
	manifest.delete(["file:///w/b.md", "file:///w/none.md"]);
	assert.deepEqual([...sums(), manifest.documents.entry("file:///w/b.md")], [1, 4, 0, undefined]);
});

function quadWith(object: Term, rest: Partial<Quad> = {}): Quad {
	const lines = { start: 3, end: 8 };
	return { subject: subjectOf("_:b0"), predicate: namedNode("urn:p"), object, lines, ...rest };
}

test("statements are read back unchanged", () => {
	const quads = [
		quadWith(namedNode("urn:o")),
		quadWith(subjectOf("_:c14n1")),
		// A literal that looks like a blank node.
		quadWith(literal("_:b0", "urn:string")),
		quadWith(literal("", undefined, "de-at")),
		quadWith(namedNode("urn:o"), { graph: subjectOf("_:g") }),
	];
	assert.deepEqual(readQuads(writeQuads(quads)), quads);
});

function about(words: string): Descriptor {
	return { purpose: `Explain ${words}`, applicability: `when ${words}'s "odd"`, evaluation: "it works" };
}

test("the first descriptor of a content survives a rebuild, another embedder and a restart", async (t) => {
	const { folder, store } = await openFilled(t, { a: ["one"] });
	assert.equal((await store.descriptors()).size, 0);
	await store.describe("1", about("lamps"));
	await store.describe("1", about("bread"));
	await store.describe("2", about("ships"));
	const assertKept = async ({ descriptors }: Store) =>
		assert.deepEqual(Object.fromEntries(await descriptors()), { 1: about("lamps"), 2: about("ships") });
	await assertKept(store);
	await store.clear();
	await assertKept(store);
	const next = await store.successor({ id: "others-1", dimensions: 8 });
	await next.close();
	await store.adoptSuccessor();
	await store.optimize();
	await assertKept(store);
	await assertKept(await openIn(t, folder));
});

test("other processes see the first descriptor after a commit to the index, and further descriptors at once", async (t) => {
	const { folder, store } = await openTemporary(t);
	const other = await openIn(t, folder);
	assert.equal((await other.descriptors()).size, 0);
	await store.describe("1", about("lamps"));
	await store.replace([sampleDocument("a", ["one"])]);
	await other.refresh();
	assert.equal((await other.descriptors()).size, 1);
	await store.describe("2", about("ships"));
	assert.equal((await other.descriptors()).size, 2);
	await other.describe("2", about("bread"));
	assert.deepEqual((await store.descriptors()).get("2"), about("ships"));
});

/** Opens a store as the worker does, and reads it, which reports errors. */
async function ask(folder: string, storageOptions: Record<string, string> = {}): Promise<unknown> {
	const store = await openStore({ folder, storageOptions, embedder: undefined });
	return store.documents();
}

const VARIABLE = /COPILOT_LD_STORAGE_CREDENTIALS/;

/** Locations that fail at once, without a network. */
const LACKING = [
	["az://team/index", {}, [/"account_name"/, /account_key=…/, VARIABLE]],
	["az://team/index", { account_name: "acme", account_key: "bm9=" }, [/account_key=…/, VARIABLE]],
	["db://team", {}, [/"region"/, /api_key=…/, VARIABLE]],
	["gs://team/index", { google_service_account: "/nowhere/key.json" }, [/path of a readable key file/]],
] as const;

for (const [folder, options, says] of LACKING)
	test(`the location ${folder} with ${JSON.stringify(options)} fails with a message that names the missing options`, async () => {
		await assert.rejects(ask(folder, options), (thrown: Error & { code: string }) => {
			assert.equal(thrown.code, "ENDPOINT_FAILED");
			for (const words of [/copilot-LD\.storage\.options/, /credentials/, ...says])
				assert.match(thrown.message, words);
			assert.ok(!thrown.message.includes("bm9="));
			return true;
		});
	});

test("an address that accepts the connection and never answers fails after 15 s", async (t) => {
	const server = createServer((socket) => socket.on("error", () => undefined));
	const endpoint = `http://127.0.0.1:${await portOf(t, server)}`;
	t.mock.timers.enable({ apis: ["setTimeout"] });
	// Named imports get the mocked timers too.
	syncBuiltinESMExports();
	const connected = once(server, "connection");
	const keys = { access_key_id: "a", secret_access_key: "b", client_max_retries: "0" };
	const storageOptions = { endpoint, allow_http: "true", region: "eu-west-3", ...keys };
	const message = /did not answer within 15 s.*"region".*secret_access_key=…/;
	const asking = assert.rejects(ask("s3://team/index", storageOptions), { code: "ENDPOINT_FAILED", message });
	const [socket] = await connected;
	const [request] = await once(socket, "data");
	assert.match(String(request), /Credential=a\/\d+\/eu-west-3\/s3\//, "the region is that of the options");
	t.mock.timers.tick(15_000);
	await asking;
	server.close();
	socket.destroy();
});
