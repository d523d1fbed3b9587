/** Extensions of binary files by format. Users and models see the text extracted from such a file. */
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
