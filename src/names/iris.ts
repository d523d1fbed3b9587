const SCHEME = /^[a-z][\w+.-]*:/i;

const PARTS = /^([a-z][\w+.-]*:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** Resolves a reference as in RFC 3986, but without normalization, which would change the IRI. */
export function resolveIri(reference: string, base: string): string {
	if (SCHEME.test(reference)) return reference;
	const [, scheme = "", authority = "", path = "", query = ""] = PARTS.exec(base) ?? [];
	if (reference.startsWith("//")) return scheme + reference;
	if (reference === "") return scheme + authority + path + query;
	if (reference.startsWith("#")) return scheme + authority + path + query + reference;
	if (reference.startsWith("?")) return scheme + authority + path + reference;
	const [, , , ownPath = "", ownQuery = "", fragment = ""] = PARTS.exec(reference) ?? [];
	const whole = ownPath.startsWith("/") ? ownPath : `${folderOf(path)}${ownPath}`;
	return scheme + authority + withoutDots(whole) + ownQuery + fragment;
}

/** Expands `prefix:name`; `undefined` for a text without a known prefix. */
export function expandName(name: string, namespaceOf: (prefix: string) => string | undefined) {
	const colon = name.indexOf(":");
	if (colon < 0 || name.startsWith("//", colon + 1)) return undefined;
	const namespace = namespaceOf(name.slice(0, colon));
	return namespace === undefined ? undefined : namespace + name.slice(colon + 1);
}

/** Whether the text is an absolute IRI without characters that some syntax cannot spell. */
export function isIri(text: string): boolean {
	return /^[a-z][\w+.-]*:[^\s<>"{}|\\^`]+$/i.test(text);
}

/** Escapes an IRI for an attribute of HTML or XML in either kind of quotes; `undefined` if that is impossible. */
export function inAttribute(iri: string): string | undefined {
	return isIri(iri) ? escaped(iri) : undefined;
}

export function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
}

function folderOf(path: string): string {
	const folder = path.slice(0, path.lastIndexOf("/") + 1);
	return folder === "" ? "/" : folder;
}

function withoutDots(path: string): string {
	const kept: string[] = [];
	const parts = path.split("/");
	for (const part of parts) {
		if (part === "..") {
			if (kept.length > 1) kept.pop();
		} else if (part !== ".") kept.push(part);
	}
	const isFolder = /(?:^|\/)\.{1,2}$/.test(path);
	return kept.join("/") + (isFolder ? "/" : "");
}

/** Local names that are valid in Turtle and SPARQL without escaping. */
const LOCAL =
	/^(?:[\p{L}\p{N}_](?:(?:[\p{L}\p{N}_.-]|%[0-9A-Fa-f]{2})*(?:[\p{L}\p{N}_-]|%[0-9A-Fa-f]{2}))?)?$/u;

/** Shortens an IRI with the longest matching namespace; `undefined` if none matches. */
export function compactIri(iri: string, prefixes: ReadonlyMap<string, string>, local = LOCAL) {
	let best: string | undefined;
	let longest = 0;
	for (const [prefix, namespace] of prefixes) {
		const rest = iri.slice(namespace.length);
		if (namespace.length <= longest || !iri.startsWith(namespace) || !local.test(rest)) continue;
		longest = namespace.length;
		best = `${prefix}:${rest}`;
	}
	return best;
}
