/** Endings of files in binary formats, by format. Their extracted text is shown and cited. */
export const EXTRACTED_ENDINGS = {
	pdf: ["pdf"],
	docx: ["docx", "docm", "dotx"],
	pptx: ["pptx", "pptm", "ppsx", "potx"],
	xlsx: ["xlsx", "xlsm", "xltx"],
	odt: ["odt", "ott"],
	odp: ["odp", "otp"],
	ods: ["ods", "ots"],
	epub: ["epub"],
	rtf: ["rtf"],
	eml: ["eml"],
	msg: ["msg"],
} as const;

const EXTRACTED = new RegExp(`\\.(?:${Object.values(EXTRACTED_ENDINGS).flat().join("|")})$`, "i");

export function isExtracted(path: string): boolean {
	return EXTRACTED.test(path);
}
