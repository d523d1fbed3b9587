import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { outFolder } from "../../scripts/paths.ts";
import { obtainChromium } from "../../scripts/vscode/obtainChromium.ts";
import { placeCodicons, webviewBundle } from "../../scripts/webviewBundle.ts";
import type { GraphRequest, GraphUpdate } from "../../src/protocol/graphView.ts";
import { type PageWords, webviewPage } from "../../src/vscode/webviewPage.ts";
import variables from "./fixtures/themeVariables.json" with { type: "json" };

/** Milliseconds after which a page without an answer counts as broken. */
const PATIENCE = 30_000;
const ORIGIN = "http://view.test";
const TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };

/** VS Code's themes: the class of the page's body, and the CSS variables. Borders are omitted, because axe ignores them. */
export const THEMES = ["vscode-dark", "vscode-light", "vscode-high-contrast"].map((body, at) => {
	const set = Object.entries(variables).filter(([, values]) => values[at] !== null);
	return { body, css: set.map(([name, values]) => `${name}: ${values[at]}`).join("; ") };
});

export interface OpenPage<Request, Update> {
	readonly page: Page;
	readonly requests: readonly Request[];
	/** Errors thrown in the page, and violations of its policy. */
	readonly problems: readonly string[];
	tell(update: Update): Promise<void>;
}

interface Opening<Request, Update> {
	readonly program: string;
	readonly width: number;
	readonly words?: PageWords;
	hear?(request: Request, tell: (update: Update) => Promise<void>): Promise<void>;
}

/** Opens pages in a real browser, with the built bundle and its policy. The benchmark uses it, too. */
export async function launchPages() {
	const folder = join(outFolder, "webviewTest", `${process.pid}`);
	await build(webviewBundle(folder));
	placeCodicons(folder);
	const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
	const browser = await chromium.launch({ executablePath: await obtainChromium(), args });
	return {
		browser,
		open: <Request, Update>(opening: Opening<Request, Update>) => openPage(browser, folder, opening),
		openGraph: () =>
			openPage<GraphRequest, GraphUpdate>(browser, folder, { program: "graphView", width: 900 }),
	};
}

async function openPage<Request, Update>(
	browser: Browser,
	folder: string,
	{ program, width, words, hear }: Opening<Request, Update>,
): Promise<OpenPage<Request, Update>> {
	const page = await browser.newPage({ viewport: { width, height: 640 } });
	page.setDefaultTimeout(PATIENCE);
	const [requests, problems]: [Request[], string[]] = [[], []];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
	const tell = (update: Update) => page.evaluate<void>(`window.postMessage(${JSON.stringify(update)}, "*")`);
	await page.exposeFunction("tellHost", async (request: Request) => {
		requests.push(request);
		await hear?.(request, tell);
	});
	await page.addInitScript(`(${STAND_IN})(${JSON.stringify(THEMES[0])})`);
	await serve(page, folder, program, words);
	await page.goto(ORIGIN);
	return { page, requests, problems, tell };
}

const ENGLISH: PageWords = { language: "en", bundle: undefined };

async function serve(page: Page, folder: string, program: string, words = ENGLISH): Promise<void> {
	const address = (file: string) => `${ORIGIN}/${file}`;
	const body = webviewPage({ title: program, program, address, cspSource: ORIGIN, nonce: "test", words });
	await page.route(`${ORIGIN}/**`, async (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname === "/") return route.fulfill({ contentType: "text/html", body });
		const file = await readFile(join(folder, pathname)).catch(() => undefined);
		const contentType = TYPES[extname(pathname)] ?? "text/plain";
		return file ? route.fulfill({ contentType, body: file }) : route.fulfill({ status: 204 });
	});
}

/** Runs in the page before anything else, and replaces the API that VS Code gives to a page. */
const STAND_IN = `({ body, css }) => {
	document.addEventListener("DOMContentLoaded", () => {
		document.documentElement.style.cssText = css;
		document.body.className = body;
		document.body.style.background = "var(--vscode-sideBar-background)";
	});
	window.acquireVsCodeApi = () => ({
		postMessage: window.tellHost,
		getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
		setState: (state) => sessionStorage.setItem("state", JSON.stringify(state)),
	});
}`;
