import assert from "node:assert/strict";
import { test } from "node:test";
import { neighboursOf, overviewOf, pathBetween } from "../../../src/graph/things/neighbourhood.ts";
import { createThingList } from "../../../src/graph/things/thingList.ts";
import { pointersTo, viewThing } from "../../../src/graph/things/thingView.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";
import { EVERYTHING, graphOf } from "../sampleGraph.ts";

test("things, classes and properties are found by the first letters of words in their names, the best first", async () => {
	const persons = `:ada a :Person ; :name "Ada Byron" ; :worksFor :Society .
:ann :name "Ann Adams" . :Person rdfs:label "human being" .`;
	const list = createThingList(graphOf({ "file:///a": persons }));
	await list.refresh();
	for (const [words, ...found] of [
		["ad", "thing Ada Byron", "thing Ann Adams"],
		["for", "property worksFor"],
		["person", "class human being"],
		// No statement describes the society.
		["society"],
	] as const)
		assertMapped(list.find({ ...EVERYTHING, words }), ({ kind, label }) => `${kind} ${label}`, found);
	assertMapped(list.find({ ...EVERYTHING, words: "", limit: 2 }), ({ label }) => label, ["name", "type"]);
});

const EX = "http://example.org/";

function drawn({ things, links, left }: ReturnType<typeof overviewOf>) {
	const short = (id: string) => id.replace(EX, "");
	const drawnLinks = links.map(({ from, to }) => `${short(from)} ${short(to)}`).sort();
	return { things: things.map(({ id }) => short(id)).sort(), links: drawnLinks, left };
}

test("the neighbours of a thing exclude shown things, but include links to shown things", () => {
	const graph = graphOf({ "file:///a": ":a :knows :b . :b :knows :c ; a :P . :d :q :c . :c :knows :a ." });
	const first = neighboursOf(graph, { iris: [`${EX}a`] });
	assert.deepEqual(drawn(first), { things: ["a", "b", "c"], links: ["a b", "b c", "c a"], left: 0 });
	const shown = [`${EX}a`, `${EX}b`];
	const more = neighboursOf(graph, { iris: [`${EX}c`], shown });
	assert.deepEqual(drawn(more), { things: ["c", "d"], links: ["b c", "c a", "d c"], left: 0 });
	const way = pathBetween(graph, { from: `${EX}d`, to: `${EX}a` });
	assert.deepEqual(drawn(way), { things: ["a", "c", "d"], links: ["c a", "d c"], left: 0 });
});

test("an overview has the things with the most links, and counts other things", () => {
	const graph = graphOf({ "file:///a": ':hub :knows :b, :c . :b :knows :c . :alone :name "Alone" ; a :P .' });
	const most = { things: ["b", "c", "hub"], links: ["b c", "hub b", "hub c"], left: 1 };
	assert.deepEqual(drawn(overviewOf(graph, 3)), most);
	assert.deepEqual(drawn(overviewOf(graph, 9)).things, ["alone", "b", "c", "hub"]);
});

test("a thing with 20,000 links is drawn with 600 links, and viewed with the number of links", () => {
	const many = times(20_000, (at) => `:s${at} :t :hub . :hub :from :s${at} .`).join("\n");
	const graph = graphOf({ "file:///a": `:hub :name "Hub" .\n${many}` });
	const { things, links, left } = neighboursOf(graph, { iris: [`${EX}hub`] });
	assert.deepEqual([things.length, links.length], [301, 600]);
	assert.ok(left > 0);
	const view = viewThing(graph, `${EX}hub`);
	assert.deepEqual([view?.label, view?.pointers, view?.properties[0]?.total], ["Hub", 20_000, 20_000]);
	assert.equal(pointersTo(graph, `${EX}hub`).length, 10_000);
});

test("aliases in a circle are listed once each, and labels are shortened, with invisible characters named", () => {
	const circle = ":a owl:sameAs :b . :b owl:sameAs :c . :c owl:sameAs :a, :c .";
	const labels = `:d :name "${"long ".repeat(4000)}" . :e :name "\\u202Egpj.exe" .`;
	const graph = graphOf({ "file:///a": circle + labels });
	const [a, d, e] = ["a", "d", "e"].map((name) => viewThing(graph, EX + name));
	assert.deepEqual(a?.aliases.toSorted(), [`${EX}b`, `${EX}c`]);
	assert.equal(pathBetween(graph, { from: `${EX}a`, to: `${EX}c` }).things.length, 2);
	assert.ok(d && d.label.length <= 201);
	assert.equal(e?.label, "⟨U+202E⟩gpj.exe");
});
