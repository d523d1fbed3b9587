import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { KEYS, SCHEMA } from "../../src/base/rdf/vocabulary.ts";
import type { ParsedDocument } from "../../src/core/knowledge/document.ts";
import type { Quad, Term } from "../../src/core/knowledge/rdf.ts";
import { createLineIndex } from "../../src/knowledge/passages/lines.ts";
import { assertNone } from "../support/assertNone.ts";
import { documentOf } from "../support/documents.ts";

const { COPILOT_LD_DATA: data = join("..", "shared", "data") } = process.env;
const bionova = join(data, "pages", "bionova");
const examples = join(data, "pages", "schemaorg-examples");

interface Page {
	readonly file: string;
	readonly text: string;
	readonly document: ParsedDocument;
}

/** `uri` for pages whose three versions are to be compared. */
async function readPage(file: string, uri = pathToFileURL(file).href): Promise<Page> {
	const bytes = readFileSync(file);
	return { file, text: bytes.toString(), document: await documentOf(uri, bytes) };
}

async function readPages(pattern: string): Promise<Page[]> {
	return Promise.all(
		globSync(pattern)
			.sort()
			.map((file) => readPage(file)),
	);
}

const absent = (folder: string) => (existsSync(folder) ? false : `there is no ${folder}`);

test("the bionova pages give all their statements, resources and passages", {
	skip: absent(bionova),
}, async () => {
	const documents = (await readPages(join(bionova, "*.html"))).map(({ document }) => document);
	const resources = documents.flatMap((document) => document.resources);
	const told = new Set(documents.flatMap(({ passages }) => passages.map(({ resource }) => resource)));
	assert.equal(documents.length, 22);
	assert.equal(documents.flatMap(({ quads }) => quads).length, 6648);
	assert.ok(resources.length >= 888);
	assert.equal(new Set(resources.map(({ id }) => id).filter((id) => !id.startsWith("_:"))).size, 738);
	assertNone(resources.filter(({ id }) => !told.has(id)));
	assertNone(documents.flatMap(({ problems }) => problems));
});

test("every bionova resource begins on the line of its own element", { skip: absent(bionova) }, async () => {
	for (const { file, text, document } of await readPages(join(bionova, "*.html"))) {
		const lineAt = createLineIndex(text);
		const tags = [...text.matchAll(/<\w+[^>]*\sitemscope[^>]*>/g)];
		const lines = new Set(tags.map(({ index }) => lineAt(index)));
		for (const resource of document.resources) {
			assert.ok(lines.has(resource.lines.start), `${basename(file)} ${resource.id}`);
			if (resource.id.startsWith("_:")) continue;
			const own = tags.find(({ 0: tag }) => tag.includes(`itemid="${resource.id}"`));
			assert.equal(resource.lines.start, own && lineAt(own.index), `${basename(file)} ${resource.id}`);
		}
	}
});

const PAGE = "https://example.org/page.html";

/** What an example says, without its tables and lists, and what its syntaxes cannot agree on: datatypes, white space, https. */
function claimsOf({ quads }: ParsedDocument): string {
	const write = (term: Term) =>
		term.termType === "BlankNode"
			? "_"
			: term.value
					.trim()
					.replace(/\s+/g, " ")
					.replace(/^https?:/, "")
					.replace(/\/$/, "");
	const isOfText = ({ subject, predicate }: Quad) =>
		/#line=\d+$/.test(subject.value) ||
		predicate.value.startsWith(KEYS) ||
		(subject.value === PAGE && predicate.value === `${SCHEMA}name`);
	const stated = quads.filter((one) => !isOfText(one));
	const claims = stated.map(({ subject, predicate, object }: Quad) =>
		[subject, predicate, object].map(write).join(" "),
	);
	return [...new Set(claims)].sort().join("\n");
}

async function readVersions(microdata: string): Promise<Map<string, string>> {
	const claims = new Map<string, string>();
	for (const syntax of ["microdata", "rdfa", "jsonld"]) {
		const file = microdata.replace(".microdata.", `.${syntax}.`);
		if (existsSync(file)) claims.set(syntax, claimsOf((await readPage(file, PAGE)).document));
	}
	return claims;
}

test("the syntaxes of a schema.org example agree where the originals do", {
	skip: absent(examples),
}, async () => {
	const versions = await Promise.all(globSync(join(examples, "*.microdata.html")).map(readVersions));
	const agreeing = (first: string, second: string) =>
		versions.filter((claims) => claims.has(first) && claims.get(first) === claims.get(second)).length;
	// The other examples differ in what is written: a price, an author, a property that one of them leaves out.
	assert.equal(agreeing("microdata", "rdfa"), 50);
	assert.equal(agreeing("microdata", "jsonld"), 26);
	assert.equal(agreeing("rdfa", "jsonld"), 25);
});
