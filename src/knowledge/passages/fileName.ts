/** The name of the file that a URI points to, decoded. */
export function fileName(uri: string): string {
	const path = uri.replace(/[?#].*$/, "");
	const segment = path.slice(path.lastIndexOf("/") + 1);
	try {
		return decodeURIComponent(segment);
	} catch {
		// A name with a stray percent sign still names its file.
		return segment;
	}
}

/** Endings that may choose a format, the longest first: `a.d.ts` gives `a.d.ts`, `d.ts`, `ts`. */
export function fileEndings(uri: string): string[] {
	const parts = fileName(uri).toLowerCase().split(".");
	return parts.map((_, index) => parts.slice(index).join(".")).filter((ending) => ending !== "");
}

/** The name of a file without its ending. */
export function fileStem(uri: string): string {
	const name = fileName(uri);
	return name.replace(/(?<=.)\.[^.]*$/, "");
}
