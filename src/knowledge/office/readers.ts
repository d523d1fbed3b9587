import type { EXTRACTED_ENDINGS } from "../../core/knowledge/extractedFiles.ts";
import { readEpub } from "./epub.ts";
import { mailDocument, parseEml, parseMsg } from "./mail.ts";
import type { OfficeRead } from "./officeXml.ts";
import { readOdp, readOds, readOdt } from "./openDocument.ts";
import { readDocx, readPptx } from "./openXml.ts";
import { readRtf } from "./rtf.ts";
import { readXlsx } from "./xlsx.ts";

export const OFFICE_READERS: Readonly<Record<Exclude<keyof typeof EXTRACTED_ENDINGS, "pdf">, OfficeRead>> = {
	docx: readDocx,
	pptx: readPptx,
	xlsx: readXlsx,
	odt: readOdt,
	odp: readOdp,
	ods: readOds,
	epub: readEpub,
	rtf: readRtf,
	eml: async ({ uri, bytes }, readAttachment) => mailDocument(uri, await parseEml(bytes), readAttachment),
	msg: ({ uri, bytes }, readAttachment) => mailDocument(uri, parseMsg(bytes), readAttachment),
};
