import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RDF } from "../../src/base/rdf/vocabulary.ts";
import { readTurtle } from "../../src/knowledge/rdf/turtle.ts";
import { createGraph, type Graph } from "./graph.ts";

/** A file of a suite, with its published address as base of relative IRIs. */
export interface SuiteFile {
	readonly path: string;
	readonly uri: string;
}

/** A test from a manifest of the W3C. */
export interface ManifestEntry {
	readonly id: string;
	readonly name: string;
	/** Local name of its class, for example `TestTurtleEval`. */
	readonly kind: string;
	readonly action: SuiteFile;
	readonly result: SuiteFile | undefined;
}

export const MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#";

/** `base` is the published address of the manifest's folder. */
export function readManifest(path: string, base: string): ManifestEntry[] {
	const graph = readManifestGraph(path, base);
	const [manifest = ""] = graph.subjects(`${RDF}type`, `${MF}Manifest`);
	return graph
		.items(manifest, `${MF}entries`)
		.map((id) => toEntry(graph, id, (uri) => toFile(uri, path, base)));
}

export function readManifestGraph(path: string, base: string): Graph {
	const { quads } = readTurtle(readFileSync(path, "utf8"), { syntax: "Turtle", base: `${base}manifest.ttl` });
	return createGraph(quads);
}

function toEntry(graph: Graph, id: string, locate: (uri: string) => SuiteFile): ManifestEntry {
	const result = graph.value(id, `${MF}result`);
	const kinds = graph.values(id, `${RDF}type`).map((type) => type.replace(/^.*[#/]/, ""));
	return {
		id,
		name: id.replace(/^.*#/, ""),
		kind: kinds.find((kind) => kind.startsWith("Test")) ?? "",
		action: locate(graph.value(id, `${MF}action`) ?? ""),
		result: result === undefined ? undefined : locate(result),
	};
}

function toFile(uri: string, manifest: string, base: string): SuiteFile {
	return { uri, path: join(dirname(manifest), uri.slice(base.length)) };
}
