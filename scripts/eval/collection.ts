import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Documents, questions about them, and relevance grades. */
export interface Collection {
	readonly name: string;
	readonly files: readonly CorpusFile[];
	readonly queries: readonly { readonly id: string; readonly text: string }[];
	/** By query: the grades of relevant documents, by the document's id; all grades are above 0. */
	readonly grades: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** A document as a file in a folder. */
export interface CorpusFile {
	readonly id: string;
	/** Path relative to the corpus; its extension determines the format. */
	readonly path: string;
	readonly text: string;
}

interface DocumentLine {
	readonly id: string;
	readonly title: string;
	readonly text: string;
	readonly path?: string;
	readonly lang?: string;
}

export function collectionNames(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name)
		.sort();
}

/** Reads `docs.jsonl`, `queries.jsonl` and `qrels.tsv` of a folder. */
export function readCollection(folder: string, name: string): Collection {
	const read = (file: string) => readFileSync(join(folder, name, file), "utf8");
	const documents = linesOf(read("docs.jsonl")).map((line) => JSON.parse(line) as DocumentLine);
	const queries = linesOf(read("queries.jsonl")).map(
		(line) => JSON.parse(line) as Collection["queries"][number],
	);
	const grades = readGrades(read("qrels.tsv"));
	const answered = queries.filter(({ id }) => grades.has(id));
	return { name, files: documents.map(toFile), queries: answered, grades };
}

/** Translated collections whose questions are also asked over the original documents. */
const TRANSLATIONS: Readonly<Record<string, string>> = {
	"xquad-de": "xquad-en",
	"xquad-ru": "xquad-en",
	"xquad-zh": "xquad-en",
};

/** The questions of translated collections over the English documents, which have the same ids. */
export function readAcross(folder: string, names: readonly string[]): Collection[] {
	return names.flatMap((name) => {
		const original = TRANSLATIONS[name];
		if (original === undefined) return [];
		const { files } = readCollection(folder, original);
		return [{ ...readCollection(folder, name), files, name: `${name} → ${original}` }];
	});
}

function toFile({ id, title, text, path, lang }: DocumentLine, index: number): CorpusFile {
	if (lang === "python") return { id, path: `${index}.py`, text };
	if (id.endsWith(".md")) return { id, path: id, text };
	const heading = title && !text.startsWith("#") ? `# ${title}\n\n` : "";
	if (path === undefined) return { id, path: `${index}.md`, text: `${heading}${text}` };
	return { id, path, text: `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}` };
}

function readGrades(text: string): Map<string, Map<string, number>> {
	const grades = new Map<string, Map<string, number>>();
	for (const line of linesOf(text).slice(1)) {
		const [query = "", document = "", grade] = line.split("\t");
		if (!(Number(grade) > 0)) continue;
		const ofQuery = grades.get(query) ?? new Map<string, number>();
		grades.set(query, ofQuery.set(document, Number(grade)));
	}
	return grades;
}

export function linesOf(text: string): string[] {
	return text.split("\n").filter((line) => line.trim() !== "");
}
