/** A subset of the local names of Turtle and SPARQL. */
const LOCAL =
	/^(?:[\p{L}\p{N}_](?:(?:[\p{L}\p{N}_.-]|%[0-9A-Fa-f]{2})*(?:[\p{L}\p{N}_-]|%[0-9A-Fa-f]{2}))?)?$/u;

/** Prefers the longest namespace; `undefined` if none matches. */
export function compactIri(
	iri: string,
	prefixes: ReadonlyMap<string, string>,
	local = LOCAL,
): string | undefined {
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
