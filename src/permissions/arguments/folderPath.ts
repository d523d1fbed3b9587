/** The path of a folder's URI, with its host where it is on a share; the URI itself where it is none. */
export function folderPath(uri: string): string {
	if (!URL.canParse(uri)) return uri;
	const { host, pathname, protocol } = new URL(uri);
	const path = decodeURIComponent(pathname).replace(/^\/([A-Za-z]:)/, (_, drive) => drive.toLowerCase());
	return host !== "" && protocol === "file:" ? `//${host}${path}` : path;
}
