import type { Attachment } from "./office/mailDocument.ts";
import { decodeText } from "./passages/decodeText.ts";
import { fileEndings } from "./passages/fileName.ts";
import type { FileFormat, FileOutcome, SourceFile } from "./passages/format.ts";

/** What is no text is read by programs of their own, which are loaded when such a file comes. */
export const officeFormats: readonly FileFormat[] = [
	{ id: "pdf", extensions: ["pdf"], read: readPdfFile },
	office("docx", ["docx", "docm", "dotx"]),
	office("pptx", ["pptx", "pptm", "ppsx", "potx"]),
	office("xlsx", ["xlsx", "xlsm", "xltx"]),
	office("odt", ["odt", "ott"]),
	office("odp", ["odp", "otp"]),
	office("ods", ["ods", "ots"]),
	office("epub", ["epub"]),
	office("rtf", ["rtf"]),
	office("eml", ["eml"]),
	office("msg", ["msg"]),
];

function office(id: string, extensions: readonly string[]): FileFormat {
	return { id, extensions, read: (file) => readOfficeFile(id, file, attachmentText) };
}

async function readPdfFile(file: SourceFile): Promise<FileOutcome> {
	const { readPdf } = await import("./office/pdf/readPdf.ts");
	return readPdf(file);
}

async function readOfficeFile(
	id: string,
	file: SourceFile,
	readAttachment: (attachment: Attachment) => Promise<string | undefined>,
): Promise<FileOutcome> {
	const { readOffice } = await import("./office/readers.ts");
	return readOffice(id, file, readAttachment);
}

/** One level deep: what is attached to an attached mail is only named. */
async function attachmentText({ name, bytes }: Attachment): Promise<string | undefined> {
	const endings = fileEndings(name);
	const format = officeFormats.find(({ extensions }) => extensions.some((each) => endings.includes(each)));
	if (!format) return decodeText(bytes);
	const file = { uri: `file:///${encodeURIComponent(name)}`, bytes };
	try {
		const outcome =
			format.id === "pdf"
				? await readPdfFile(file)
				: await readOfficeFile(format.id, file, async () => undefined);
		return "skipped" in outcome ? undefined : outcome.extracted?.text;
	} catch {
		// A broken attachment is no reason to lose its mail.
		return undefined;
	}
}
