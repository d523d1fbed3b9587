export function fileName(uri: string): string {
	const path = uri.replace(/[?#].*$/, "");
	const segment = path.slice(path.lastIndexOf("/") + 1);
	try {
		return decodeURIComponent(segment);
	} catch {
		// A stray percent sign is part of the name.
		return segment;
	}
}

/** Endings that may choose a format, longest first: `a.d.ts` gives `a.d.ts`, `d.ts`, `ts`. */
export function fileEndings(uri: string): string[] {
	const parts = fileName(uri).toLowerCase().split(".");
	return parts.map((_, index) => parts.slice(index).join(".")).filter((ending) => ending !== "");
}

export function fileStem(uri: string): string {
	return fileName(uri).replace(/(?<=.)\.[^.]*$/, "");
}
