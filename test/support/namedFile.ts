import type { Random } from "./random.ts";

export const FORMATS = ["ttl", "trig", "nt", "nq", "jsonld", "rdf", "html", "md"] as const;
export type Format = (typeof FORMATS)[number];

export interface WrittenAt {
	readonly iri: string;
	readonly start: number;
	readonly end: number;
}

export interface NamedFile {
	readonly text: string;
	readonly names: readonly WrittenAt[];
	readonly statements: number;
}

const ID = "https://e.example/id/";
const TERMS = "https://e.example/v#";
const PROPERTIES = ["near", "partOf", "madeBy"];

interface Thing {
	readonly id: string;
	readonly type: string;
	readonly links: readonly { readonly property: string; readonly to: string }[];
}

/** Writes resources in a format, with decoys in comments, texts and code: names without meaning. */
export function writeNamedFile(format: Format, count: number, random: Random): NamedFile {
	const things = Array.from({ length: count }, (): Thing => {
		const links = PROPERTIES.slice(0, 1 + random.below(PROPERTIES.length));
		return {
			id: `${ID}t${random.below(5000)}`,
			type: `${TERMS}Class${random.below(20)}`,
			links: links.map((name) => ({ property: TERMS + name, to: `${ID}t${random.below(5000)}` })),
		};
	});
	const file = new FileWriter(random);
	WRITERS[format](file, things);
	// Notes contain links, but no types.
	const statements = things.reduce((sum, { links }) => sum + links.length + (format === "md" ? 0 : 1), 0);
	return { text: file.text, names: file.names, statements };
}

class FileWriter {
	text = "";
	readonly names: WrittenAt[] = [];
	readonly random: Random;

	constructor(random: Random) {
		this.random = random;
	}

	/** Adds text in which each `‹written|iri›` is a name. */
	add(text: string): void {
		for (const [at, piece] of text.split(/[‹›]/).entries()) {
			const [written = "", iri] = at % 2 === 1 ? piece.split("|") : [piece];
			const start = this.text.length;
			this.text += written;
			if (iri !== undefined) this.names.push({ iri, start, end: this.text.length });
		}
	}

	decoy(forms: readonly string[]): void {
		if (this.random.below(3) === 0) this.text += this.random.pick(forms).replaceAll("IRI", `${ID}t7`);
	}
}

const WRITERS: Readonly<Record<Format, (file: FileWriter, things: readonly Thing[]) => void>> = {
	ttl: writeTurtle,
	trig: (file, things) => {
		for (const [at, thing] of things.entries()) {
			writeTurtle(file, [], at === 0);
			file.add(`‹id:g${at}|${ID}g${at}› { `);
			writeTurtle(file, [thing], false);
			file.add("}\n");
		}
	},
	nt: (file, things) => writeLines(file, things, ""),
	nq: (file, things) => writeLines(file, things, ` ‹<${ID}g>|${ID}g›`),
	jsonld: writeJsonLd,
	rdf: writeRdfXml,
	html: writeHtml,
	md: writeMarkdown,
};

const QUOTED = ["'''two\nlines <IRI> v:near id:t2'''", '"""a "quoted" id:t3 # no comment"""@en'];
const TEXTS_OF_TURTLE = ['"id:t1 <IRI>"', ...QUOTED, '"x\\"<IRI>"'];

function writeTurtle(file: FileWriter, things: readonly Thing[], isDeclared = true): void {
	if (isDeclared) file.add(`@prefix id: <${ID}> .\nPREFIX v: <${TERMS}> # v: <IRI>\n`);
	for (const { id, type, links } of things) {
		file.decoy(["# id:t9 a v:Class1 ; <IRI>\n"]);
		file.add(`${turtleName(file, id)} a ${turtleName(file, type)} `);
		for (const { property, to } of links) {
			file.add(`;\n\t${turtleName(file, property)} ${turtleName(file, to)} `);
			file.decoy([" # <IRI> id:t8\n"]);
		}
		file.add(`; ‹v:text|${TERMS}text› ${file.random.pick(TEXTS_OF_TURTLE).replaceAll("IRI", `${ID}t7`)} .\n`);
	}
}

function turtleName({ random }: FileWriter, iri: string): string {
	const short = iri.startsWith(ID) ? `id:${iri.slice(ID.length)}` : `v:${iri.slice(TERMS.length)}`;
	return `‹${random.below(3) === 0 ? `<${iri}>` : short}|${iri}›`;
}

function writeLines(file: FileWriter, things: readonly Thing[], graph: string): void {
	const iri = (name: string) => `‹<${name}>|${name}›`;
	for (const { id, type, links } of things) {
		const a = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
		for (const { property, to } of [{ property: a, to: type }, ...links])
			file.add(`${iri(id)} ${iri(property)} ${iri(to)}${graph} .\n`);
		file.decoy(["# <IRI> <IRI> <IRI> .\n"]);
		file.add(`${iri(id)} ${iri(`${TERMS}text`)} "<${ID}t7> \\"<${ID}t8>\\""${graph} .\n`);
	}
}

function writeJsonLd(file: FileWriter, things: readonly Thing[]): void {
	const terms = PROPERTIES.map(
		(name) => `"‹${name}|${TERMS}${name}›": {"@id": "‹v:${name}|${TERMS}${name}›", "@type": "@id"}`,
	).join(", ");
	file.add(
		`{"@context": {"id": "${ID}", "v": "${TERMS}", "‹text|${TERMS}text›": "‹v:text|${TERMS}text›", ${terms}}, "@graph": [`,
	);
	for (const [at, { id, type, links }] of things.entries()) {
		const name = (iri: string) =>
			`"‹${file.random.below(2) === 0 ? iri : iri.replace(ID, "id:").replace(TERMS, "v:")}|${iri}›"`;
		file.add(`${at === 0 ? "" : ","}\n{"@id": ${name(id)}, "@type": [${name(type)}]`);
		for (const { property, to } of links)
			file.add(`, "‹${property.slice(TERMS.length)}|${property}›": ${name(to)}`);
		file.add(`, "‹text|${TERMS}text›": {"@value": "id:t7 \\"@id\\": \\"${ID}t7\\""}}`);
	}
	file.add("]}");
}

function writeRdfXml(file: FileWriter, things: readonly Thing[]): void {
	file.add(`<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [ <!ENTITY id "${ID}"> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="${TERMS}" xml:base="${ID}">\n`);
	for (const { id, type, links } of things) {
		const address = (iri: string) =>
			`‹${file.random.pick([iri, iri.replace(ID, "&id;"), iri.slice(ID.length)])}|${iri}›`;
		const tag = (iri: string) => `‹v:${iri.slice(TERMS.length)}|${iri}›`;
		file.decoy([`<!-- <v:Class1 rdf:about="IRI"/> -->\n`]);
		file.add(`<${tag(type)} rdf:about="${address(id)}" ${tag(`${TERMS}note`)}='v:near "IRI"'>\n`);
		for (const { property, to } of links)
			file.add(
				file.random.below(2) === 0
					? `<${tag(property)} rdf:resource='${address(to)}'/>\n`
					: `<${tag(property)}><rdf:Description rdf:about="${address(to)}"/></${tag(property)}>\n`,
			);
		const text = `${TERMS}text`;
		file.add(`<${tag(text)}><![CDATA[<v:near rdf:resource="${ID}t7"/>]]></${tag(text)}>\n`);
		file.add(`</${tag(type)}>\n`);
	}
	file.add("</rdf:RDF>\n");
}

function writeHtml(file: FileWriter, things: readonly Thing[]): void {
	file.add(`<!DOCTYPE html><title>v:near <a href="${ID}t7"></title><body prefix="v: ${TERMS}">\n`);
	for (const { id, type, links } of things) {
		file.decoy([`<!-- <a href="IRI"> -->`, `<script>"<a href='IRI'>"</script>`, "<pre>IRI id:t7</pre>"]);
		const isRdfa = file.random.below(2) === 0;
		file.add(
			isRdfa
				? `<div about="‹${id}|${id}›" typeof="‹v:${type.slice(TERMS.length)}|${type}›">`
				: `<div itemscope itemid="‹${id}|${id}›" itemtype="‹${type}|${type}›">`,
		);
		for (const { property, to } of links) {
			const local = property.slice(TERMS.length);
			const name = isRdfa ? `property="‹v:${local}|${property}›"` : `itemprop="‹${local}|${property}›"`;
			file.add(`<a ${name} href='‹${to}|${to}›'>v:near ${ID}t7</a>\n`);
		}
		file.add("</div>\n");
	}
}

function writeMarkdown(file: FileWriter, things: readonly Thing[]): void {
	const [first] = things;
	if (first) file.add(`---\nid: ‹${first.id}|${first.id}›\n---\n# Links\n\n`);
	for (const { links } of things) {
		file.decoy(["`[[t7]] <IRI>`\n\n", "```\n[[t8]] [x](IRI)\n```\n\n", "~~~ttl\n<IRI> a [[t9]] .\n~~~\n\n"]);
		for (const { to } of links)
			file.add(file.random.pick([`See [it](‹${to}|${to}›).\n\n`, `See <‹${to}|${to}›>.\n\n`]));
	}
}
