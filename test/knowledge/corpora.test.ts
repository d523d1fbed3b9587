import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { ParsedDocument } from "../../src/core/knowledge/document.ts";
import { createLineIndex } from "../../src/knowledge/passages/lines.ts";
import { assertNone } from "../support/assertNone.ts";
import { documentOf } from "../support/documents.ts";

const { COPILOT_LD_DATA: data = join("..", "shared", "data") } = process.env;
const bionova = join(data, "pages", "bionova");

interface Page {
	readonly file: string;
	readonly text: string;
	readonly document: ParsedDocument;
}

async function readPage(file: string): Promise<Page> {
	const bytes = readFileSync(file);
	return { file, text: bytes.toString(), document: await documentOf(pathToFileURL(file).href, bytes) };
}

async function readPages(pattern: string): Promise<Page[]> {
	return Promise.all(
		globSync(pattern)
			.sort()
			.map((file) => readPage(file)),
	);
}

const absent = (folder: string) => (existsSync(folder) ? false : `there is no ${folder}`);

test("the bionova pages give all statements, resources and passages", { skip: absent(bionova) }, async () => {
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
