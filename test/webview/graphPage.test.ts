import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundThing, Neighbourhood } from "../../src/core/knowledge/graph.ts";
import type { GraphRequest } from "../../src/protocol/graphView.ts";
import * as view from "../../webview/graph/graphActions.ts";
import { layOut } from "../../webview/graph/layout.ts";
import type { GraphAction } from "../../webview/graph/model.ts";
import * as model from "../../webview/graph/model.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { listed } from "../support/listed.ts";
import { times } from "../support/times.ts";
import { faultsOf, launchViews } from "./testPage.ts";

const pages = await launchViews();

function thing(id: string, type = "Light"): FoundThing {
	const place = { uri: "file:///w/a.ttl", lines: { start: 3, end: 5 } };
	return { id, label: id.toUpperCase(), kind: "thing", types: [type], place };
}

function picture(links: readonly (readonly [string, string])[]): Neighbourhood {
	const ids = [...new Set(links.flat())];
	return {
		things: ids.map((id) => thing(id, id.startsWith("p") ? "Person" : "Light")),
		links: links.map(([from, to]) => ({
			...{ from, to, property: { id: "urn:near", label: "near" } },
			place: { uri: "file:///w/a.ttl", lines: { start: 1, end: 1 } },
		})),
		left: 0,
	};
}

const linked = (pairs: string) => picture(listed(pairs).map((pair) => pair.split(" ") as [string, string]));
const SMALL = linked("a b | a p1 | b c");

function play(...actions: readonly GraphAction[]) {
	let state = model.OPENING;
	let requests: readonly GraphRequest[] = [];
	for (const action of actions) ({ state, requests } = action(state));
	return { state, requests };
}

function shown(update: Neighbourhood, focus: readonly string[] = []): GraphAction {
	return view.hear({ kind: "shown", picture: update, focus });
}

test("expanding adds resources and each link once; a filter hides a class with the class's links, and shows both again", () => {
	const added = { kind: "added", picture: linked("a b | b d"), focus: ["b"] } as const;
	const { state } = play(shown(SMALL, ["a"]), view.hear(added));
	assert.deepEqual([state.things.size, state.links.length, state.selected], [5, 4, "b"]);
	const hide = view.toggleFilter("Person");
	const hidden = model.visibleIn(play(shown(SMALL), hide).state);
	assert.deepEqual([[...hidden.things.keys()], hidden.links.length], [["a", "b", "c"], 2]);
	assert.equal(model.visibleIn(play(shown(SMALL), hide, hide).state).things.size, 4);
});

test("choosing a second resource requests a path, and answers to an earlier search are dropped", () => {
	const { requests, state } = play(
		shown(SMALL),
		view.beginPath("a"),
		view.search("c"),
		view.search("cd"),
		view.hear({ kind: "found", words: "c", things: [thing("x")] }),
		view.choose("c"),
	);
	assert.deepEqual(state.found, []);
	assert.deepEqual(requests.at(-1), { kind: "path", from: "a", to: "c", shown: ["a", "b", "p1", "c"] });
});

function crowd(count: number): Neighbourhood {
	const ids = times(count, (at) => `${at % 3 === 0 ? "p" : "l"}${at}`);
	return picture(
		ids.flatMap((id, at) => [[id, ids[at % 10] ?? id] as const, [id, ids[(at * 7) % count] ?? id] as const]),
	);
}

test("in a large graph, hubs and visited resources are drawn singly, other resources in groups that open in parts", () => {
	const { state } = play(shown(crowd(3000)));
	const { things, groups, links } = model.drawnIn(state);
	assert.equal(things.size + groups.reduce((sum, { count }) => sum + count, 0), 3000);
	assertMapped(groups, ({ name }) => name, ["Light", "Person"]);
	assert.ok(things.size < 200 && things.has("p0") && things.has("l1") && !things.has("l2998"));
	assert.ok(links.length < 1500);
	assert.ok(links.some(({ from, label }) => from === model.groupId("Light") && /^[\d,]+ links$/.test(label)));
	const open = view.openGroup("Person");
	const after = (...actions: readonly GraphAction[]) =>
		model.drawnIn(play(shown(crowd(900)), ...actions).state);
	const [before = 0, opened = 0, all] = [after(), after(open), after(open, open)].map(
		(drawn) => drawn.groups.find(({ name }) => name === "Person")?.count,
	);
	assert.ok(opened > 0 && opened < before && all === undefined);
	assert.ok(after(view.select("l899"), view.select(undefined)).things.has("l899"));
});

test("a layout keeps fixed nodes, separates overlapping nodes, and is deterministic", () => {
	const nodes = new Map(["a", "b", "c", "d"].map((id) => [id, 9]));
	const known = new Map(["a", "b", "c"].map((id) => [id, { x: 5, y: 5 }]));
	const plan = { nodes, known, links: [{ from: "a", to: "d" }], fixed: new Set(["a"]) };
	const places = layOut(plan);
	assert.deepEqual(places.get("a"), { x: 5, y: 5 });
	assert.deepEqual([...layOut(plan)], [...places]);
	const points = [...places.values()];
	for (const [at, one] of points.entries())
		for (const other of points.slice(at + 1)) assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > 18);
});

test("the keyboard requests an overview of ten thousand resources and opens groups in the overview", async () => {
	const { page, requests, problems, tell } = await pages.openGraph();
	await page.getByRole("button", { name: "Overview" }).click();
	await tell({ kind: "shown", picture: crowd(10_000), focus: [] });
	await page.getByText("10,000 things,").waitFor();
	assert.deepEqual(requests.at(-1), { kind: "overview" });
	const rows = page.getByRole("list", { name: "Things in the picture" }).getByRole("button");
	const count = await rows.count();
	assert.ok(count < 300);
	const person = page.getByRole("button", { name: /^Person [\d,]+ things$/ });
	await person.press("Enter");
	await rows.nth(count + 100).waitFor();
	assert.match((await page.locator(":focus").textContent()) ?? "", /Person/);
	assert.deepEqual(problems, []);
});

test("the keyboard moves through the list, expands a resource and opens the resource's lines; labels are escaped, and axe finds no fault in any theme", async () => {
	const { page, requests, problems, tell } = await pages.openGraph();
	const script = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'\u202e\n";
	const label = `P1${script}${"x".repeat(10_000)}`;
	const things = SMALL.things.map((each) => (each.id === "p1" ? { ...each, label } : each));
	await tell({ kind: "shown", picture: { ...SMALL, things, left: 7 }, focus: ["a"] });
	await page.getByText("4 things, 3 links. 7 more neighbors are not shown.").waitFor();
	assert.deepEqual(await faultsOf(page), []);
	const rows = page.getByRole("list", { name: "Things in the picture" }).getByRole("button");
	await rows.nth(3).waitFor();
	await rows.first().focus();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "B" }).waitFor();
	await page.getByRole("button", { name: "Expand" }).press("Enter");
	await page.getByRole("button", { name: "Open Lines" }).press("Enter");
	assert.deepEqual(requests.slice(-2), [
		{ kind: "expand", iris: ["b"], shown: ["a", "b", "p1", "c"] },
		{ kind: "open", uri: "file:///w/a.ttl", start: 3, end: 5 },
	]);
	assert.equal(await page.locator("img").count(), 0);
	assert.deepEqual(problems, []);
});

test("36 classes have distinct styles, which do not change when classes are added", () => {
	const looksOf = (count: number) => {
		const names = times(count, (at) => `C${at}`);
		return model.looksIn({
			...model.OPENING,
			things: new Map(names.map((name) => [name, thing(name, name)])),
		});
	};
	const looks = looksOf(36);
	assert.equal(new Set(looks.values()).size, 36);
	assert.equal(looksOf(7).get("C6"), looks.get("C6"));
});
