import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { after, afterEach } from "node:test";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { outFolder } from "../../scripts/paths.ts";
import { obtainChromium } from "../../scripts/vscode/obtainChromium.ts";
import { placeCodicons, webviewBundle } from "../../scripts/webviewBundle.ts";
import { isFailure, messageOf } from "../../src/base/failure.ts";
import type { SourcedPolicy } from "../../src/core/knowledge/catalog.ts";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import { answerFor, changedBy, type ViewPorts } from "../../src/vscode/sessionsView/answers.ts";
import { sessionsViewPage } from "../../src/vscode/sessionsView/page.ts";
import type { PageWords } from "../../src/vscode/webviewPage.ts";
import { FakeMemory } from "./fakeMemory.ts";
import { FakePermissions } from "./fakePermissions.ts";
import { FakeSessions } from "./fakeSessions.ts";
import { THEMES, type ThemeName, wearTheme } from "./themes.ts";

/** Milliseconds after which a page that does not answer is broken. */
const PATIENCE = 30_000;
const ORIGIN = "http://view.test";
const TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };

export interface TestPageOptions {
	readonly sessions?: FakeSessions;
	readonly memory?: FakeMemory;
	readonly permissions?: FakePermissions;
	readonly policies?: readonly SourcedPolicy[];
	readonly theme?: ThemeName;
	readonly width?: number;
	readonly words?: PageWords;
}

export interface TestPage {
	readonly page: Page;
	readonly requests: readonly ViewRequest[];
	/** What went against the page's policy, or was thrown in it. */
	readonly problems: readonly string[];
	tell(update: ViewUpdate): Promise<void>;
	/** Resolves when the page has asked for something of this kind; looks back, too. */
	asked<Kind extends ViewRequest["kind"]>(kind: Kind): Promise<Extract<ViewRequest, { kind: Kind }>>;
}

/** Opens pages in a real browser, with the built bundle, its own policy, and the host's own answers over fakes. */
export class TestBrowser {
	readonly #browser: Browser;
	readonly #folder: string;

	private constructor(browser: Browser, folder: string) {
		this.#browser = browser;
		this.#folder = folder;
	}

	/** The pages of a test close after it, the browser after the tests of the file. */
	static async launch(): Promise<TestBrowser> {
		const folder = join(outFolder, "webviewTest", `${process.pid}`);
		await build(webviewBundle(folder));
		placeCodicons(folder);
		const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
		const browser = await chromium.launch({ executablePath: await obtainChromium(), args });
		afterEach(async () => void (await Promise.all(browser.contexts().map((context) => context.close()))));
		after(() => browser.close());
		return new TestBrowser(browser, folder);
	}

	async open(options: TestPageOptions): Promise<TestPage> {
		const { theme = "dark", width = 300 } = options;
		const page = await this.#browser.newPage({ viewport: { width, height: 640 } });
		page.setDefaultTimeout(PATIENCE);
		const problems: string[] = [];
		page.on("pageerror", (error) => problems.push(error.message));
		page.on("console", (message) => {
			if (message.type() === "error") problems.push(message.text());
		});
		const requests: ViewRequest[] = [];
		const waiting = new Set<() => void>();
		const tell = (update: ViewUpdate) => page.evaluate((data) => window.postMessage(data, "*"), update);
		await page.exposeFunction("tellHost", async (request: ViewRequest) => {
			requests.push(request);
			for (const look of waiting) look();
			await answerInto(request, depsOf(options), tell);
		});
		await page.addInitScript(standIn);
		await this.#serve(page, options.words);
		await page.goto(ORIGIN);
		await page.evaluate(wearTheme, THEMES[theme]);
		return { page, requests, problems, tell, asked: (kind) => untilAsked(kind, requests, waiting) };
	}

	async #serve(page: Page, words: PageWords = { language: "en", bundle: undefined }): Promise<void> {
		const parts = { address: (file: string) => `${ORIGIN}/${file}`, cspSource: ORIGIN, nonce: "test", words };
		await page.route(`${ORIGIN}/**`, async (route) => {
			const { pathname } = new URL(route.request().url());
			if (pathname === "/") return route.fulfill({ contentType: "text/html", body: sessionsViewPage(parts) });
			const body = await readFile(join(this.#folder, pathname)).catch(() => undefined);
			return body
				? route.fulfill({ contentType: TYPES[extname(pathname)] ?? "text/plain", body })
				: route.fulfill({ status: 204 });
		});
	}
}

/** Runs in the page before all else: stands in for what VS Code gives to a page. */
function standIn(): void {
	document.addEventListener("DOMContentLoaded", () => {
		document.body.style.background = "var(--vscode-sideBar-background)";
	});
	const scope = window as unknown as Record<string, unknown>;
	scope["acquireVsCodeApi"] = () => ({
		postMessage: scope["tellHost"],
		getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
		setState: (state: unknown) => sessionStorage.setItem("state", JSON.stringify(state)),
	});
}

async function answerInto(
	request: ViewRequest,
	deps: TestPorts,
	tell: (update: ViewUpdate) => Promise<void>,
): Promise<void> {
	try {
		await tell((await answerFor(request, deps, new AbortController().signal)) ?? { kind: "did", request });
	} catch (thrown) {
		// What VS Code itself would do, such as opening an editor, is not there.
		if (isFailure(thrown)) await tell({ kind: "failed", request, message: messageOf(thrown) });
	}
	const part = changedBy(request);
	if (part) await tell({ kind: "changed", part });
	// The worker tells of sessions, whoever changed them.
	const changes = deps.sessions.takeChanges();
	if (changes.length > 0) await tell({ kind: "sessionsChanged", changes });
}

interface TestPorts extends ViewPorts {
	readonly sessions: FakeSessions;
}

function depsOf(options: TestPageOptions): TestPorts {
	const { sessions, memory, permissions, policies = [] } = options;
	return {
		sessions: sessions ?? new FakeSessions([]),
		memory: memory ?? new FakeMemory([]),
		permissions: permissions ?? new FakePermissions([], []),
		policies: async () => policies,
		steps: { stop: () => false },
		workspace: () => "file:///home/ada/isles",
	};
}

async function untilAsked<Kind extends ViewRequest["kind"]>(
	kind: Kind,
	requests: readonly ViewRequest[],
	waiting: Set<() => void>,
): Promise<Extract<ViewRequest, { kind: Kind }>> {
	const { promise, resolve } = Promise.withResolvers<Extract<ViewRequest, { kind: Kind }>>();
	const look = () => {
		const found = requests.findLast((request) => request.kind === kind);
		if (found) resolve(found as Extract<ViewRequest, { kind: Kind }>);
	};
	waiting.add(look);
	look();
	return promise.finally(() => waiting.delete(look));
}
