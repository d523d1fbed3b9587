import { messageOf } from "../base/failure.ts";
import { numeral } from "../base/text/plural.ts";
import { wordList } from "../base/words/wordList.ts";
import { type ParsedDocument, problemAt } from "../core/knowledge/document.ts";
import { EXTRACTED_ENDINGS } from "../core/knowledge/extractedFiles.ts";
import { parseCode } from "./code.ts";
import { parseHtml } from "./html/readHtml.ts";
import { parseMarkdown } from "./markdown/markdown.ts";
import { parseNotebook } from "./notebook.ts";
import { decodeText } from "./passages/decodeText.ts";
import { documentOfText } from "./passages/passages.ts";
import {
	type Attachment,
	countLines,
	fileEndings,
	fileName,
	type Parse,
	type ReadAttachment,
	type Source,
	type SourceFile,
} from "./passages/source.ts";
import { looksLikeJsonLd, parseJsonLd } from "./rdf/jsonLd/jsonLd.ts";
import { parseRdfXml } from "./rdf/rdfXml.ts";
import { nQuads, nTriples, trig, turtle } from "./rdf/turtle.ts";
import { parseJsonLines, parseText } from "./text.ts";
import type { TEXT_READERS } from "./texts/readers.ts";

type Format = { readonly id: string; readonly endings: readonly string[] } & Reader;

type Reader =
	/** `isOfRows`: whether the format may have any number of lines. */
	| { readonly parse: Parse; readonly isOfRows?: boolean }
	| {
			/** May throw if the content is broken. If so, the file is reported as unreadable. */
			read(file: SourceFile, readAttachment?: ReadAttachment): Promise<ParsedDocument>;
	  };

const CODE = wordList(`
	ts tsx mts cts js jsx mjs cjs vue svelte css scss sass less py pyi rb php pl pm lua r jl ex exs erl
	hrl hs ml mli java kt kts scala groovy gradle clj cljs cs fs fsx vb swift c h cc cpp cxx hh hpp hxx
	m mm go rs zig nim d dart sh bash zsh fish ps1 psm1 bat cmd sql graphql gql proto tf hcl cmake mk
	makefile dockerfile containerfile jenkinsfile rakefile gemfile justfile nix el lisp scm rkt vim asm
	s f90 f pas ada cob sol rq sparql shex cypher prisma bicep sv v vhd
`);

const TEXT = wordList(`
	txt text log json jsonc json5 yaml yml toml ini cfg conf
	properties env xml xsd xsl xslt readme license licence notice authors changelog changes contributing
	todo codeowners editorconfig gitignore gitattributes
`);

const TEXT_ENDINGS: Readonly<Record<keyof typeof TEXT_READERS, readonly string[]>> = {
	asciidoc: ["adoc", "asciidoc"],
	restructuredtext: ["rst"],
	latex: ["tex", "latex", "ltx"],
	org: ["org"],
	subtitles: ["srt", "vtt"],
	table: ["csv", "tsv"],
};

/** If several formats list an extension, the first format is used. */
const FORMATS: readonly Format[] = [
	{ id: "html", endings: ["html", "htm", "xhtml", "xht"], parse: parseHtml },
	{ id: "markdown", endings: wordList("md markdown mdown mkd mdx qmd rmd"), parse: parseMarkdown },
	{ id: "notebook", endings: ["ipynb"], parse: parseNotebook },
	{ id: "turtle", endings: ["ttl", "turtle", "n3"], parse: turtle },
	{ id: "trig", endings: ["trig"], parse: trig },
	{ id: "ntriples", endings: ["nt"], parse: nTriples },
	{ id: "nquads", endings: ["nq"], parse: nQuads },
	{ id: "jsonld", endings: ["jsonld"], parse: parseJsonLd },
	{ id: "rdfxml", endings: ["rdf", "owl", "rdfs"], parse: parseRdfXml },
	{ id: "json", endings: ["json"], parse: parseJson },
	{ id: "code", endings: CODE, parse: parseCode },
	{ id: "text", endings: ["jsonl", "ndjson"], parse: parseJsonLines, isOfRows: true },
	...formatsOf(TEXT_ENDINGS, (id) => ({
		parse: async (source) => (await import("./texts/readers.ts")).TEXT_READERS[id](source),
		isOfRows: id === "table",
	})),
	{ id: "text", endings: TEXT, parse: parseText },
	...formatsOf(EXTRACTED_ENDINGS, (id) => ({
		read: async (file, readAttachment = attachmentText) => {
			if (id === "pdf") return (await import("./office/pdf/readPdf.ts")).readPdf(file);
			return (await import("./office/readers.ts")).OFFICE_READERS[id](file, readAttachment);
		},
	})),
];

const byEnding = new Map<string, Format>();
for (const format of FORMATS.toReversed()) for (const ending of format.endings) byEnding.set(ending, format);

export function formatFor(uri: string): Format | undefined {
	return byEnding.get(fileEndings(uri).find((ending) => byEnding.has(ending)) ?? "");
}

export function parseJson(source: Source): ParsedDocument | Promise<ParsedDocument> {
	return looksLikeJsonLd(source.text) ? parseJsonLd(source) : parseText(source);
}

function formatsOf<Id extends string>(endings: Record<Id, readonly string[]>, readerOf: (id: Id) => Reader) {
	return (Object.keys(endings) as Id[]).map((id) => ({ id, endings: endings[id], ...readerOf(id) }));
}

/** Reads one level of attachments. Attachments of attached mails are only named. */
async function attachmentText({ name, bytes }: Attachment): Promise<string | undefined> {
	const format = formatFor(name);
	if (!format || !("read" in format)) return decodeText(bytes);
	try {
		const file = { uri: `file:///${encodeURIComponent(name)}`, bytes };
		const { extracted } = await format.read(file, async () => undefined);
		return extracted?.text;
	} catch {
		// A broken attachment must not make its mail unreadable.
		return undefined;
	}
}

/** Maximum number of lines, because lines take much memory. Longer files are data or bombs. */
const MAX_LINES = 2_000_000;

export type ParseOutcome =
	| { readonly format: string; readonly document: ParsedDocument }
	| { readonly skipped: string };

/** Parses a file whose size the caller has checked. Never rejects because of the file's content. */
export async function parseDocument(uri: string, bytes: Uint8Array): Promise<ParseOutcome> {
	const format = formatFor(uri);
	if (!format) return { skipped: reasonFor(uri) };
	try {
		const outcome = await readAs(format, { uri, bytes });
		return "skipped" in outcome ? outcome : { format: format.id, document: outcome };
	} catch (thrown) {
		if (thrown instanceof Error && thrown.name === "UnreadableFile") return { skipped: thrown.message };
		// A library failed on broken or hostile content. Report the file, and continue with other files.
		if ("read" in format) return { skipped: `it cannot be read (${messageOf(thrown)})` };
		const problem = problemAt(1, `This file cannot be read: ${messageOf(thrown)}`);
		return { format: format.id, document: documentOfText(fileName(uri), [], [problem]) };
	}
}

async function readAs(format: Format, { uri, bytes }: SourceFile) {
	if ("read" in format) return bytes.length === 0 ? { skipped: "it is empty" } : format.read({ uri, bytes });
	const text = decodeText(bytes);
	if (text === undefined) return { skipped: "its content is binary" };
	if (!format.isOfRows && text.length >= MAX_LINES && countLines(text) > MAX_LINES)
		return { skipped: `it has more than ${numeral(MAX_LINES)} lines` };
	return format.parse({ uri, text });
}

function reasonFor(uri: string): string {
	const [whole, ...endings] = fileEndings(uri);
	const ending = endings.at(-1);
	return ending ? `no reader for .${ending} files` : `no reader for files named ${whole ?? ""}`.trim();
}
