import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root } from "../paths.ts";
import { createCorpus } from "./corpus.ts";

/** Files in a folder, and questions about them. */
export interface FileCorpus {
	readonly name: string;
	readonly files: number;
	readonly questions: readonly string[];
}

const MADE_DOCUMENTS = 2800;

/** The folder of third-party data, which may be missing. */
export function dataFolder(): string {
	return process.env["COPILOT_LD_DATA"] ?? join(root, "..", "shared", "data");
}

/** Writes the AWS documentation if the data folder exists, else made documents. */
export async function writeFiles(folder: string): Promise<FileCorpus> {
	const source = join(dataFolder(), "ir", "awsdocs");
	if (!existsSync(source)) return writeMade(folder);
	// One document is named like the definition of an agent, which is not indexed.
	const documents = readLines(join(source, "docs.jsonl")).filter(({ id = "" }) => !/\.agent\.md$/i.test(id));
	for (const { id = "", text = "" } of documents) await write(join(folder, id), text);
	const questions = readLines(join(source, "queries.jsonl")).map(({ text = "" }) => text);
	return { name: "AWS documentation", files: documents.length, questions };
}

async function writeMade(folder: string): Promise<FileCorpus> {
	const corpus = createCorpus();
	for (let number = 0; number < MADE_DOCUMENTS; number++) {
		const { record, passages } = corpus.document(number);
		const sections = passages.map(({ text }, at) => `## Part ${at}\n\n${text}\n`);
		const text = `# ${record.title}\n\n${sections.join("\n")}`;
		await write(join(folder, `${number % 100}`, `${number}.md`), text);
	}
	return { name: "made documents", files: MADE_DOCUMENTS, questions: corpus.questions(51) };
}

function readLines(file: string): Record<string, string>[] {
	const lines = readFileSync(file, "utf8").split("\n");
	return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

async function write(file: string, text: string): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, text);
}
