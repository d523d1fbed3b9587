import assert from "node:assert/strict";
import { test } from "node:test";
import { describeLinks } from "../../../src/worker/answers/links.ts";
import { graphOf } from "../../graph/sampleGraph.ts";

const EX = "http://example.org/";

const graph = graphOf({
	"file:///a": `:ada a :Person ; :name "Ada" ; :knows :alan, :grace ; :born 1815 .
:lamp :attendant :ada . [] :owner :ada .`,
	"file:///b":
		':grace :name "Grace" . :ada :knows :grace . :lamp :name "Lamp" . :knows rdfs:label "is acquainted with" .',
	"file:///c": Array.from({ length: 12 }, (_, index) => `:letter${index} :author :ada .`).join("\n"),
});

test("links are named by labels from any document, each once, in both directions, with honest totals", () => {
	const [outgoing, attendant, author, owner, ...others] = describeLinks(graph, `${EX}ada`);
	assert.equal(outgoing, `is acquainted with → <${EX}alan>; Grace <${EX}grace>`);
	assert.equal(attendant, `is the attendant of ← Lamp <${EX}lamp>`);
	assert.match(author ?? "", /^is the author of ← letter0 .*; letter7 <[^;]*> \(and 2 more of 12\)$/);
	assert.match(owner ?? "", /^is the owner of ← _:/);
	assert.deepEqual(others, []);
});
