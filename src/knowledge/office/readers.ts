import type { FileOutcome, SourceFile } from "../passages/format.ts";
import { readDocx } from "./docx.ts";
import { parseEml } from "./eml.ts";
import { readEpub } from "./epub.ts";
import { mailDocument, type ReadAttachment } from "./mailDocument.ts";
import { parseMsg } from "./msg.ts";
import type { OfficeRead } from "./officeXml.ts";
import { readOdp, readOds, readOdt } from "./openDocument.ts";
import { readPptx } from "./pptx.ts";
import { readRtf } from "./rtf.ts";
import { Unreadable } from "./unreadable.ts";
import { readXlsx } from "./xlsx.ts";

const READERS: Readonly<Record<string, OfficeRead>> = {
	docx: readDocx,
	pptx: readPptx,
	xlsx: readXlsx,
	odt: readOdt,
	odp: readOdp,
	ods: readOds,
	epub: readEpub,
	rtf: readRtf,
};

/** Reads a file of an office program. `readAttachment` reads what is attached to a mail. */
export async function readOffice(
	format: string,
	file: SourceFile,
	readAttachment: ReadAttachment,
): Promise<FileOutcome> {
	try {
		if (format === "eml") return await mailDocument(file.uri, await parseEml(file.bytes), readAttachment);
		if (format === "msg") return await mailDocument(file.uri, parseMsg(file.bytes), readAttachment);
		const document = await READERS[format]?.(file);
		return document ?? { skipped: `no reader for ${format}` };
	} catch (thrown) {
		if (thrown instanceof Unreadable) return { skipped: thrown.message };
		throw thrown;
	}
}
