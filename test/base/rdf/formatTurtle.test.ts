import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTurtle } from "../../../src/base/rdf/formatTurtle.ts";
import { tokensOf } from "../../../src/base/rdf/sparqlTokens.ts";
import { canonicalize, quadKey } from "../../../src/knowledge/rdf/rdfDocument.ts";
import { documentOf } from "../../support/documents.ts";
import { writeNamedFile } from "../../support/namedFile.ts";
import { createRandom, type Random } from "../../support/random.ts";

test("formatted Turtle has a line for each statement and property; line breaks, comments and texts stay", () => {
	const text = `

# Licence
@prefix z: <http://z/> .   @prefix a: <http://a/>. # the a
PREFIX m: <http://m/> BASE <http://b/>


a:x a a:T;a:p 1,2 , 3 ;
a:q [ a:r "x"@en ; a:s [] ; ] , ( 1 2 3 ); # trailing
  # own line
a:list (
a:one
    a:two ) ; a:z [
 a:y 1.5 ; a:k p:\\_\\$\\&1
] .
<g> { a:x a:y 1. a:u a:v """multi
  line . ;
""" }
<< a:x a:y 1 >> a:m true.`;
	const formatted = `# Licence
@prefix a: <http://a/> . # the a
PREFIX m: <http://m/>
@prefix z: <http://z/> .
BASE <http://b/>

a:x a a:T ;
	a:p 1, 2, 3 ;
	a:q [ a:r "x"@en ; a:s [] ; ], ( 1 2 3 ) ; # trailing
	# own line
	a:list (
		a:one
		a:two ) ;
	a:z [
		a:y 1.5 ; a:k p:\\_\\$\\&1
	] .
<g> {
	a:x a:y 1 .
	a:u a:v """multi
  line . ;
"""
}
<< a:x a:y 1 >> a:m true .
`;
	assert.equal(formatTurtle(text, "turtle"), formatted);
});

test("a formatted query keeps its lines, indented by brackets", () => {
	const text = `PREFIX z: <http://z/> PREFIX a: <http://a/>
# which
SELECT ?s (COUNT(DISTINCT ?o) AS ?n) WHERE {
?s a a:T; a:p/a:q* ?o.
   FILTER(?o>3 && ?x<5||!BOUND(?y))
 {
     SELECT * { ?a ?b ?c } LIMIT 5
 }
}
LIMIT 10`;
	const formatted = `PREFIX a: <http://a/>
PREFIX z: <http://z/>
# which
SELECT ?s (COUNT(DISTINCT ?o) AS ?n) WHERE {
    ?s a a:T ; a:p/a:q* ?o .
    FILTER(?o>3 && ?x<5||!BOUND(?y))
    {
        SELECT * { ?a ?b ?c } LIMIT 5
    }
}
LIMIT 10
`;
	assert.equal(formatTurtle(text, "sparql", "    "), formatted);
});

const REPEATED = "@prefix a: <http://a/> . @prefix a: <http://b/> . a:x a:y a:z .";
const QUOTED = 'a:x a:y """\n@prefix z: <http://z/> .\n@prefix b: <http://b/> .\n""" .';
const BROKEN = ["", "# only a comment", "] } ) .", "a:x a:y 'open"];

test("formatting broken, empty or unusual Turtle changes only white space, once", () => {
	for (const text of [...BROKEN, REPEATED, QUOTED, "\ufeff@prefix a: <http://a/> .\r\na:x a:y a:z .\r\n"]) {
		const formatted = formatTurtle(text, "turtle");
		assert.equal(formatTurtle(formatted, "turtle"), formatted);
		const signs = (written: string) => [...written.replace(/\s+/g, "")].sort().join("");
		assert.equal(signs(formatted), signs(text), text);
	}
	assert.ok(formatTurtle(REPEATED, "turtle").startsWith("@prefix a: <http://a/> .\n@prefix a: <http:"));
	assert.ok(formatTurtle(QUOTED, "turtle").includes("z/> .\n@prefix b"));
});

const SPACES = ["", "", " ", "\n", "\r\n\t", "  \n\n\n ", " # a: <b> . \n", "\n#;\n"];

test("formatting random RDF files keeps their statements, and formatting again changes nothing", async () => {
	const random = createRandom(1);
	for (let at = 0; at < 60; at++) {
		const format = random.pick(["ttl", "trig", "nt", "nq"] as const);
		const text = spread(writeNamedFile(format, 1 + random.below(3), random).text, random);
		const formatted = formatTurtle(text, "turtle");
		const where = `file ${at}:\n${text}`;
		assert.equal(formatTurtle(formatted, "turtle"), formatted, where);
		assert.deepEqual(await meaningOf(format, formatted), await meaningOf(format, text), where);
	}
});

/** Adds white space between tokens, but keeps the line breaks that end statements in N-Triples. */
function spread(text: string, random: Random): string {
	const tokens = tokensOf(text);
	const words = tokens.map(({ text: word, end }, at) => {
		const gap = text.slice(end, tokens[at + 1]?.start);
		return word + gap + (gap === "" || gap.includes("#") ? "" : random.pick(SPACES));
	});
	return words.join("");
}

async function meaningOf(format: string, text: string): Promise<string[]> {
	const { quads, problems } = await documentOf(`file:///w/a.${format}`, text);
	assert.deepEqual(problems, []);
	return canonicalize(quads).map(quadKey).sort();
}
