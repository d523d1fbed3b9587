import "./canvasNames.ts";
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import * as worker from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";
import { Unreadable } from "../unreadable.ts";

// PDF.js looks for its worker here before it starts one: we are in a process of our own already.
Reflect.set(globalThis, "pdfjsWorker", worker);

/** Opens a PDF for its text: no scripts, no fonts of the system, no images, nothing from the network. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
	const folder = tablesFolder();
	const loading = getDocument({
		// It is given away, and must be no Buffer.
		data: new Uint8Array(bytes),
		verbosity: VerbosityLevel.ERRORS,
		isEvalSupported: false,
		useSystemFonts: false,
		disableFontFace: true,
		useWasm: false,
		maxImageSize: 0,
		stopAtErrors: false,
		cMapUrl: `${join(folder, "cmaps")}${sep}`,
		cMapPacked: true,
		standardFontDataUrl: `${join(folder, "standard_fonts")}${sep}`,
	});
	try {
		return await loading.promise;
	} catch (thrown) {
		await loading.destroy();
		if (thrown instanceof Error && thrown.name === "PasswordException")
			throw new Unreadable("it is encrypted with a password");
		throw thrown;
	}
}

/** Beside the program that reads, where it is shipped; else where it was installed. */
function tablesFolder(): string {
	const program = dirname(process.argv[1] ?? "");
	if (existsSync(join(program, "cmaps"))) return program;
	let folder = process.cwd();
	while (!existsSync(join(folder, INSTALLED)) && dirname(folder) !== folder) folder = dirname(folder);
	return join(folder, INSTALLED);
}

const INSTALLED = join("node_modules", "pdfjs-dist");
