import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { outFolder } from "../../scripts/paths.ts";
import { obtainChromium } from "../../scripts/vscode/obtainChromium.ts";
import { placeCodicons, webviewBundle } from "../../scripts/webviewBundle.ts";
import type { GraphRequest, GraphUpdate } from "../../src/protocol/graphView.ts";
import { webviewPage } from "../../src/vscode/webviewPage.ts";

const ORIGIN = "http://graph.test";
const TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };
const { dark: DARK } = JSON.parse(
	await readFile(join(import.meta.dirname, "fixtures", "themes.json"), "utf8"),
);

export interface GraphTestPage {
	readonly page: Page;
	readonly requests: readonly GraphRequest[];
	/** What went against the page's policy, or was thrown in it. */
	readonly problems: readonly string[];
	tell(update: GraphUpdate): Promise<void>;
}

/** Opens the page of the graph in a real browser, with the built bundle and its own policy; the benchmark does, too. */
export async function launchGraphPages() {
	const folder = join(outFolder, "graphViewTest", `${process.pid}`);
	await build(webviewBundle(folder));
	placeCodicons(folder);
	const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
	const browser = await chromium.launch({ executablePath: await obtainChromium(), args });
	return {
		open: () => openPage(browser, folder),
		close: () => browser.close(),
	};
}

async function openPage(browser: Browser, folder: string): Promise<GraphTestPage> {
	const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
	const [requests, problems]: [GraphRequest[], string[]] = [[], []];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
	await page.exposeFunction("tellHost", (request: GraphRequest) => void requests.push(request));
	await page.addInitScript(`(${STAND_IN})(${JSON.stringify(DARK)})`);
	await serve(page, folder);
	await page.goto(ORIGIN);
	const tell = (update: GraphUpdate) =>
		page.evaluate<void>(`window.postMessage(${JSON.stringify(update)}, "*")`);
	return { page, requests, problems, tell };
}

async function serve(page: Page, folder: string): Promise<void> {
	const words = { language: "en", bundle: undefined };
	const parts = { address: (file: string) => `${ORIGIN}/${file}`, cspSource: ORIGIN, nonce: "test", words };
	const body = webviewPage({ title: "Graph", program: "graphView" }, parts);
	await page.route(`${ORIGIN}/**`, async (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname === "/") return route.fulfill({ contentType: "text/html", body });
		const file = await readFile(join(folder, pathname)).catch(() => undefined);
		const contentType = TYPES[extname(pathname)] ?? "text/plain";
		return file ? route.fulfill({ contentType, body: file }) : route.fulfill({ status: 204 });
	});
}

/** Runs in the page before all else: stands in for what VS Code gives to a page. */
const STAND_IN = `({ body, variables }) => {
	document.addEventListener("DOMContentLoaded", () => {
		for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
		document.body.className = body;
		document.body.style.background = "var(--vscode-editor-background)";
	});
	window.acquireVsCodeApi = () => ({ postMessage: window.tellHost });
}`;
