import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Unreadable } from "../../src/knowledge/office/extract.ts";
import { openPdf } from "../../src/knowledge/office/pdf/readPdf.ts";
import { MODEL_FOLDER } from "./corpus.ts";
import { dataFolder } from "./fileCorpus.ts";
import type { OfficeMeasurement } from "./measurement.ts";
import { reportToParent, runMeasurement } from "./program.ts";
import type { WordReading } from "./readWord.ts";
import { timed } from "./timing.ts";
import { runWorker } from "./workerRun.ts";

const OFFICE = join(dataFolder(), "office");
const COPIES = 20;

const never = new AbortController().signal;

interface OfficeFile {
	readonly file: string;
	readonly format: string;
	readonly bytes: number;
}

/** Indexes real PDFs, and many copies of a real Word document, with the shipped worker. */
async function measureOffice(): Promise<OfficeMeasurement> {
	const manifest = (await readFile(join(OFFICE, "manifest.jsonl"), "utf8")).trim().split("\n");
	const files: OfficeFile[] = manifest.map((line) => JSON.parse(line));
	const pdfs = files.filter(({ format }) => format === "pdf").map(({ file }) => join(OFFICE, file));
	const words = files.filter(({ format }) => format === "docx").toSorted((a, b) => b.bytes - a.bytes);
	const [longest] = words.map(({ file }) => join(OFFICE, file));
	if (longest === undefined) throw new Error("There is no Word document among the data.");
	const copies = Array.from({ length: COPIES }, () => longest);
	const { bare, pages } = await readBare(pdfs);
	return {
		pages,
		bareSeconds: bare / 1000,
		pdfSeconds: (await indexed(pdfs)) / 1000,
		docxMegabytes: ((await stat(longest)).size * COPIES) / 1e6,
		docxReadSeconds: (await readByTwo(longest)) / 1000,
		docxSeconds: (await indexed(copies)) / 1000,
	};
}

/** Measures reading the text with PDF.js only, page by page, in one process. */
async function readBare(files: readonly string[]) {
	let pages = 0;
	const { ms } = await timed(async () => {
		for (const file of files) pages += await pagesRead(file);
	});
	return { bare: ms, pages };
}

async function pagesRead(file: string): Promise<number> {
	const document = await openPdf(await readFile(file)).catch((thrown: unknown) => {
		if (thrown instanceof Unreadable) return undefined;
		throw thrown;
	});
	if (!document) return 0;
	for (let number = 1; number <= document.numPages; number++)
		await (await document.getPage(number)).getTextContent();
	const { numPages } = document;
	await document.loadingTask.destroy();
	return numPages;
}

/** Milliseconds for reading all copies in two parallel processes. */
async function readByTwo(file: string): Promise<number> {
	const half = () => runMeasurement<WordReading>("readWord.ts", [file, String(COPIES / 2)]);
	const halves = await Promise.all([half(), half()]);
	return Math.max(...halves.map(({ ms }) => ms));
}

/** Milliseconds for indexing these files. */
async function indexed(files: readonly string[]): Promise<number> {
	const home = await mkdtemp(join(tmpdir(), "bench-"));
	const folder = join(home, "files");
	await mkdir(folder);
	for (const [at, file] of files.entries())
		await copyFile(file, join(folder, `${at}-${file.split("/").at(-1)}`));
	const worker = await runWorker({
		dataFolder: join(home, "data"),
		modelFolder: MODEL_FOLDER,
		folders: [{ uri: pathToFileURL(folder).href, name: "files" }],
	});
	const { ms, result } = await timed(() =>
		worker.knowledge.index({ rebuild: false }, () => undefined, never),
	);
	const { indexed, skipped, failed } = result;
	if (indexed + skipped + failed !== files.length || failed > 0)
		throw new Error(`${indexed} of ${files.length} files are indexed, ${failed} failed.`);
	await worker.stop();
	await rm(home, { recursive: true });
	return ms;
}

await reportToParent(measureOffice());
