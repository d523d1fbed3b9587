/** The path of a folder's URI; the URI itself where it is none. */
export function folderPath(uri: string): string {
	if (!URL.canParse(uri)) return uri;
	return decodeURIComponent(new URL(uri).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
}
