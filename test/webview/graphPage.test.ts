import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { outFolder } from "../../scripts/paths.ts";
import { obtainChromium } from "../../scripts/vscode/obtainChromium.ts";
import { webviewBundle } from "../../scripts/webviewBundle.ts";
import type { FoundThing, Neighbourhood } from "../../src/core/knowledge/things.ts";
import type { GraphRequest, GraphUpdate } from "../../src/protocol/graphView.ts";
import { webviewPage } from "../../src/vscode/webviewPage.ts";
import { type GraphEvent, OPENING, visibleIn } from "../../webview/graph/model.ts";
import { reduceGraph } from "../../webview/graph/reduceGraph.ts";
import { faultsOf } from "./axe.ts";
import { THEMES, wearTheme } from "./themes.ts";

const ORIGIN = "http://graph.test";
const folder = join(outFolder, "graphViewTest", `${process.pid}`);
let browser: Browser;

before(async () => {
	await build(webviewBundle(folder));
	const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
	browser = await chromium.launch({ executablePath: await obtainChromium(), args });
});

after(() => browser.close());

function thing(id: string, type = "Light"): FoundThing {
	const place = { uri: "file:///w/a.ttl", lines: { start: 3, end: 5 } };
	return { id, label: id.toUpperCase(), kind: "thing", types: [type], place };
}

function picture(links: readonly (readonly [string, string])[], left = 0): Neighbourhood {
	const ids = [...new Set(links.flat())];
	return {
		things: ids.map((id) => thing(id, id.startsWith("p") ? "Person" : "Light")),
		links: links.map(([from, to]) => ({
			...{ from, to, property: { id: "urn:near", label: "near" } },
			place: { uri: "file:///w/a.ttl", lines: { start: 1, end: 1 } },
		})),
		left,
	};
}

const SMALL = picture([
	["a", "b"],
	["a", "p1"],
	["b", "c"],
]);

/** What the page is after these events, and what it asked. */
function play(...events: readonly GraphEvent[]) {
	let state = OPENING;
	const requests: GraphRequest[] = [];
	for (const event of events) {
		const next = reduceGraph(state, event);
		state = next.state;
		requests.push(...next.requests);
	}
	return { state, requests };
}

function shown(update: Neighbourhood, focus: readonly string[] = []): GraphEvent {
	return { kind: "told", update: { kind: "shown", picture: update, focus } };
}

async function open(): Promise<{ page: Page; requests: GraphRequest[]; problems: string[] }> {
	const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
	const [requests, problems]: [GraphRequest[], string[]] = [[], []];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
	await page.exposeFunction("tellHost", (request: GraphRequest) => void requests.push(request));
	await page.addInitScript(() => {
		document.addEventListener("DOMContentLoaded", () => {
			document.body.style.background = "var(--vscode-editor-background)";
		});
		const scope = window as unknown as Record<string, unknown>;
		scope["acquireVsCodeApi"] = () => ({ postMessage: scope["tellHost"] });
	});
	const words = { language: "en", bundle: undefined };
	const parts = { address: (file: string) => `${ORIGIN}/${file}`, cspSource: ORIGIN, nonce: "test", words };
	await page.route(`${ORIGIN}/**`, async (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname === "/")
			return route.fulfill({
				contentType: "text/html",
				body: webviewPage({ title: "Graph", program: "graphView" }, parts),
			});
		const body = await readFile(join(folder, pathname)).catch(() => undefined);
		const contentType = pathname.endsWith(".css") ? "text/css" : "text/javascript";
		return body ? route.fulfill({ contentType, body }) : route.fulfill({ status: 204 });
	});
	await page.goto(ORIGIN);
	await page.evaluate(wearTheme, THEMES.dark);
	return { page, requests, problems };
}

function tell(page: Page, update: GraphUpdate): Promise<void> {
	return page.evaluate((data) => window.postMessage(data, "*"), update);
}

test("what is expanded comes to what is shown, and each link is there once", () => {
	const more = picture([
		["a", "b"],
		["b", "d"],
	]);
	const { state } = play(shown(SMALL, ["a"]), {
		kind: "told",
		update: { kind: "added", picture: more, focus: ["b"] },
	});
	assert.deepEqual([state.things.size, state.links.length, state.selected], [5, 4, "b"]);
});

test("a filter hides a class with its links, and the next press shows it again", () => {
	const hide: GraphEvent = { kind: "filterToggled", name: "Person" };
	const hidden = visibleIn(play(shown(SMALL), hide).state);
	assert.deepEqual([[...hidden.things.keys()], hidden.links.length], [["a", "b", "c"], 2]);
	assert.equal(visibleIn(play(shown(SMALL), hide, hide).state).things.size, 4);
});

test("a path is asked for between two things, and what was typed before is not found any more", () => {
	const { requests, state } = play(
		shown(SMALL),
		{ kind: "pathBegun", id: "a" },
		{ kind: "searched", words: "c" },
		{ kind: "searched", words: "cd" },
		{ kind: "told", update: { kind: "found", words: "c", things: [thing("x")] } },
		{ kind: "pathEnded", id: "c" },
	);
	assert.deepEqual(state.found, []);
	assert.deepEqual(requests.at(-1), { kind: "path", from: "a", to: "c", shown: ["a", "b", "p1", "c"] });
});

test("names of documents are text in the page and in a drawing that is saved", async () => {
	const { page, requests, problems } = await open();
	const hostile = {
		...SMALL,
		things: SMALL.things.map((each) => ({ ...each, label: `<img src=x onerror=alert(1)>${each.id}` })),
	};
	await tell(page, { kind: "shown", picture: hostile, focus: ["a"] });
	await page.getByRole("list", { name: "Things in the picture" }).getByRole("button").nth(3).waitFor();
	assert.equal(await page.locator("img").count(), 0);
	await page.getByRole("button", { name: "SVG" }).click();
	const saved = requests.find(({ kind }) => kind === "save");
	assert.ok(saved?.kind === "save" && saved.content.includes("&lt;img") && !saved.content.includes("<img"));
	assert.deepEqual(problems, []);
	await page.close();
});

test("the keyboard goes through the list, expands a thing and opens its lines", async () => {
	const { page, requests } = await open();
	await tell(page, { kind: "shown", picture: SMALL, focus: ["a"] });
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
	await page.close();
});

test("the page is free of what axe finds, in every theme", async () => {
	const { page, problems } = await open();
	const links = Array.from({ length: 30 }, (_, at) => ["a", at % 3 === 0 ? `p${at}` : `l${at}`] as const);
	await tell(page, { kind: "shown", picture: picture(links, 7), focus: ["a"] });
	await page.getByText("31 things, 30 links. 7 more neighbors are not shown.").waitFor();
	const show = (theme: string) =>
		page.screenshot({ path: join(outFolder, "artifacts", `graph-${theme}.png`) });
	assert.deepEqual(await faultsOf(page, show), []);
	assert.deepEqual(problems, []);
	await page.close();
});
