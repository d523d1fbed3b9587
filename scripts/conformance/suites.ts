import { csvwSuite } from "./csvw.ts";
import { jsonLdSuite } from "./jsonLd.ts";
import { jsonLdInHtmlSuite } from "./jsonLdInHtml.ts";
import { microdataSuite } from "./microdata.ts";
import { rdfSuites } from "./rdf.ts";
import { rdfaSuite } from "./rdfa.ts";
import { shaclSuites } from "./shacl.ts";
import { sparqlSuite } from "./sparql.ts";
import type { Suite } from "./suite.ts";

export const suites: readonly Suite[] = [
	...rdfSuites,
	jsonLdSuite,
	jsonLdInHtmlSuite,
	microdataSuite,
	rdfaSuite,
	sparqlSuite,
	csvwSuite,
	...shaclSuites,
];
