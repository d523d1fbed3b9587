/** The path of a folder's URI, with its host on a network share; the text itself if it is not a URI. */
export function folderPath(uri: string): string {
	if (!URL.canParse(uri)) return uri;
	const { host, pathname, protocol } = new URL(uri);
	const path = decodeURIComponent(pathname).replace(/^\/([A-Za-z]:)/, (_, drive) => drive.toLowerCase());
	return host !== "" && protocol === "file:" ? `//${host}${path}` : path;
}
