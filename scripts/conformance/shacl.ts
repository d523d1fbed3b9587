import { existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { SH } from "../../src/base/rdf/vocabulary.ts";
import type { Quad, Term } from "../../src/core/knowledge/rdf.ts";
import type { ShapeResult } from "../../src/graph/shapes/validateShapes.ts";
import { validateShapes } from "../../src/graph/shapes/validateShapes.ts";
import { parseFile } from "./parseFile.ts";
import type { Suite } from "./suite.ts";

const MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#";
const SHT = "http://www.w3.org/ns/shacl-test#";

/** SHACL Core: compares focus nodes, paths, values and severities of violations. */
export const shaclSuites: readonly Suite[] = [
	suiteOf("SHACL core", "core", 98),
	suiteOf("SHACL-SPARQL", "sparql", 0),
];

function suiteOf(name: string, part: string, bar: number): Suite {
	const folderIn = (suites: string) => join(suites, "data-shapes-test-suite", "tests", part);
	return {
		name,
		bar,
		isAbsent: (suites) => !existsSync(folderIn(suites)),
		readTests: async (suites) =>
			globSync("**/*.ttl", { cwd: folderIn(suites) })
				.filter((path) => !basename(path).startsWith("manifest") && !/-(?:data|shapes)\.ttl$/.test(path))
				.sort()
				.map((path) => ({ name: path, run: () => judge(join(folderIn(suites), path)) })),
	};
}

async function judge(path: string): Promise<string | undefined> {
	const test = await read(path);
	const objectOf = (subject: Term | undefined, predicate: string) =>
		test.find((quad) => quad.subject.value === subject?.value && quad.predicate.value === predicate)?.object;
	const found = test.find(({ object }) => object.value === `${SHT}Validate`)?.subject;
	const action = objectOf(found, `${MF}action`);
	const [data, shapes] = await Promise.all(
		["dataGraph", "shapesGraph"].map((graph) =>
			read(new URL(objectOf(action, SHT + graph)?.value ?? "", pathToFileURL(path))),
		),
	);
	const report = objectOf(found, `${MF}result`);
	const wanted = test
		.filter(({ subject, predicate }) => subject.value === report?.value && predicate.value === `${SH}result`)
		.map(({ object }) =>
			[
				objectOf(object, `${SH}focusNode`)?.value,
				pathOf(objectOf(object, `${SH}resultPath`)),
				objectOf(object, `${SH}value`)?.value ?? "",
				objectOf(object, `${SH}resultSeverity`)?.value === `${SH}Violation` ? "error" : "warning",
			].join(" "),
		);
	const told = (await validateShapes(taskOf(data ?? [], shapes ?? []))).map(lineOf);
	return report?.value === `${SHT}Failure` ? undefined : difference(wanted, told);
}

async function read(place: string | URL): Promise<readonly Quad[]> {
	const url = typeof place === "string" ? pathToFileURL(place) : place;
	return (await parseFile({ path: decodeURIComponent(url.pathname), uri: url.href })).quads;
}

function pathOf(path: Term | undefined): string {
	return path?.termType === "NamedNode" ? path.value : "";
}

function lineOf({ focus, property, value, severity }: ShapeResult): string {
	return [focus.value, property ?? "", value?.value ?? "", severity].join(" ");
}

function taskOf(data: readonly Quad[], shapes: readonly Quad[]) {
	const places = new Map<string, number>();
	const terms: Term[] = [];
	const placeOf = (term: Term) => {
		const key = JSON.stringify(term);
		const place = places.get(key) ?? terms.push(term) - 1;
		places.set(key, place);
		return place;
	};
	const numbersOf = (quads: readonly Quad[]) =>
		Uint32Array.from(
			quads.flatMap(({ subject, predicate, object }) => [subject, predicate, object].map(placeOf)),
		);
	return { data: numbersOf(data), shapes: numbersOf(shapes), terms };
}

function difference(wanted: readonly string[], told: readonly string[]): string | undefined {
	const [expected, found] = [wanted.toSorted(), told.toSorted()];
	return expected.join("\n") === found.join("\n")
		? undefined
		: `expected ${expected.join("; ")}; found ${found.join("; ")}`;
}
