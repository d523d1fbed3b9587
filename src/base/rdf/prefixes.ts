import { localNameOf, namespaceOf } from "./vocabulary.ts";

const WELL_KNOWN: Readonly<Record<string, string>> = {
	"http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
	"http://www.w3.org/2000/01/rdf-schema#": "rdfs",
	"http://www.w3.org/2001/XMLSchema#": "xsd",
	"http://www.w3.org/2002/07/owl#": "owl",
	"http://www.w3.org/2004/02/skos/core#": "skos",
	"http://www.w3.org/ns/dcat#": "dcat",
	"http://www.w3.org/ns/org#": "org",
	"http://www.w3.org/ns/prov#": "prov",
	"http://www.w3.org/ns/shacl#": "sh",
	"http://www.w3.org/2006/vcard/ns#": "vcard",
	"http://xmlns.com/foaf/0.1/": "foaf",
	"http://purl.org/dc/elements/1.1/": "dc",
	"http://purl.org/dc/terms/": "dcterms",
	"http://ogp.me/ns#": "og",
	"https://ogp.me/ns#": "og",
	"https://schema.org/": "schema",
	"http://schema.org/": "schema",
	"http://www.wikidata.org/entity/": "wd",
	"http://www.wikidata.org/prop/direct/": "wdt",
};

/** Well-known namespaces by prefix. If two namespaces share a prefix, the first namespace wins. */
export const WELL_KNOWN_NAMESPACES: Readonly<Record<string, string>> = Object.fromEntries(
	Object.entries(WELL_KNOWN)
		.toReversed()
		.map(([namespace, prefix]) => [prefix, namespace]),
);

export type Prefixes = ReturnType<typeof createPrefixes>;

/** Assigns prefixes to the namespaces of IRIs, independent of the order of the IRIs. */
export function createPrefixes(iris: Iterable<string>) {
	const all = new Set([...iris].map(namespaceOf));
	const wanted = [...all].filter((namespace) => /^[a-z][\w+.-]*:./i.test(namespace));
	const namespaces = new Map<string, string>();
	const prefixes = new Map<string, string>();
	for (const namespace of wanted.toSorted(byFame)) {
		const prefix = WELL_KNOWN[namespace] ?? derivePrefix(namespace);
		const unused = unusedName(prefix, namespaces);
		namespaces.set(unused, namespace);
		prefixes.set(namespace, unused);
	}
	return {
		/** Writes `schema:name`, or the IRI in angle brackets if no prefix fits. */
		compact: (iri: string) => {
			const prefix = prefixes.get(namespaceOf(iri));
			const local = localNameOf(iri);
			return prefix !== undefined && LOCAL_NAME.test(local) ? `${prefix}:${local}` : `<${iri}>`;
		},
		namespaces: new Map([...namespaces].sort(([a], [b]) => (a < b ? -1 : 1))),
	};
}

/** A subset of the local names that SPARQL allows without escapes. */
const LOCAL_NAME =
	/^[\p{L}\p{N}_](?:(?:[\p{L}\p{N}_.-]|%[0-9A-Fa-f]{2})*(?:[\p{L}\p{N}_-]|%[0-9A-Fa-f]{2}))?$/u;

function byFame(a: string, b: string): number {
	return Number(b in WELL_KNOWN) - Number(a in WELL_KNOWN) || (a < b ? 1 : -1);
}

/** The last usable part: `http://x.org/prod-vocab/` gives `prod-vocab`, `http://www.example.org/` gives `example`. */
function derivePrefix(namespace: string): string {
	const [, host = "", path = ""] = /^[a-z][\w+.-]*:(?:\/\/([^/]*))?(.*)/i.exec(namespace.toLowerCase()) ?? [];
	const parts = [...host.split(".").slice(0, -1), ...path.split(/[^a-z0-9-]+/)];
	return parts.findLast((part) => /^[a-z][a-z0-9-]*[a-z0-9]$/.test(part)) ?? "ns";
}

function unusedName(name: string, taken: ReadonlyMap<string, string>): string {
	let number = 1;
	while (taken.has(number === 1 ? name : `${name}${number}`)) number++;
	return number === 1 ? name : `${name}${number}`;
}
