import type { PDFDocumentProxy } from "pdfjs-dist/types/src/display/api.js";
import type { DocumentFacts, Fact } from "../../resources/documentFacts.ts";

/** Entries of the dictionary of properties, as properties of schema.org. */
const INFO: readonly (readonly [string, string])[] = [
	["Author", "author"],
	["Subject", "about"],
	["Keywords", "keywords"],
	["CreationDate", "dateCreated"],
	["ModDate", "dateModified"],
	["Language", "inLanguage"],
];

/** What XMP says where the dictionary is silent. */
const XMP: readonly (readonly [string, string])[] = [
	["dc:creator", "author"],
	["dc:description", "description"],
	["dc:language", "inLanguage"],
	["dc:publisher", "publisher"],
	["dc:rights", "license"],
	["xmp:createdate", "dateCreated"],
	["xmp:modifydate", "dateModified"],
];

/** What a PDF says of itself; one that cannot say it still has its pages. */
export async function readPdfFacts(document: PDFDocumentProxy): Promise<DocumentFacts> {
	const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: null }));
	const entry = (name: string): string => {
		const value: unknown = Reflect.get(info, name);
		return typeof value === "string" ? value : "";
	};
	const said = INFO.map(([name, property]) => ({ property, value: dateOr(entry(name)) }));
	const known = new Set(said.filter(({ value }) => value !== "").map(({ property }) => property));
	const more = XMP.filter(([, property]) => !known.has(property)).flatMap(([name, property]) =>
		textsOf(metadata?.get(name)).map((value) => ({ property, value })),
	);
	const title = entry("Title") || textsOf(metadata?.get("dc:title"))[0];
	const values: Fact[] = [...said, ...more, { property: "numberOfPages", value: document.numPages }];
	const labels = await labelsOf(document);
	return {
		type: "DigitalDocument",
		title: isTitle(title) ? title : undefined,
		values: labels === undefined ? values : [...values, { property: "pagination", value: labels }],
	};
}

/** Programs put the name of the file there. */
function isTitle(title = ""): boolean {
	return (
		title.trim() !== "" &&
		!/^(?:untitled|microsoft word - |powerpoint presentation$)|\.(?:docx?|dvi|tex|indd|qxd|p65|pptx?|odt|fm)$/i.test(
			title,
		)
	);
}

/** `D:20240131120000+01'00'` as programs read it. */
function dateOr(value: string): string {
	const [, year, month = "01", day = "01", time = ""] = /^D:(\d{4})(\d\d)?(\d\d)?(\d{6})?/.exec(value) ?? [];
	if (year === undefined) return value;
	const zone = /([+-])(\d\d)'(\d\d)/.exec(value);
	const clock = time.replace(/(\d\d)(\d\d)(\d\d)/, "T$1:$2:$3");
	return `${year}-${month}-${day}${clock}${clock && zone ? `${zone[1]}${zone[2]}:${zone[3]}` : clock && "Z"}`;
}

function textsOf(value: unknown): string[] {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	return values.filter((each): each is string => typeof each === "string" && each.trim() !== "");
}

/** How pages are numbered in print, where that differs: `i-xii, 1-240`. */
async function labelsOf(document: PDFDocumentProxy): Promise<string | undefined> {
	const labels = await document.getPageLabels().catch(() => null);
	if (!labels || labels.every((label, index) => label === `${index + 1}`)) return undefined;
	const runs: string[][] = [];
	for (const label of labels) {
		const run = runs.at(-1);
		const isNumber = /^\d+$/.test(label);
		if (run && /^\d+$/.test(run[0] ?? "") === isNumber) run.push(label);
		else runs.push([label]);
	}
	return runs.map((run) => (run.length > 1 ? `${run[0]}-${run.at(-1)}` : run[0])).join(", ");
}
