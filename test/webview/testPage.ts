import { after, afterEach } from "node:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { isFailure, messageOf } from "../../src/base/failure.ts";
import type { SourcedPolicy } from "../../src/core/knowledge/catalog.ts";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import { answerFor, changedBy } from "../../src/vscode/sessionsView/host.ts";
import type { PageWords } from "../../src/vscode/webviewPage.ts";
import { createFakePermissions, type FakePermissions } from "../support/fakePermissions.ts";
import { untilIt } from "../support/untilIt.ts";
import { createFakeMemory, type FakeMemory } from "./fakeMemory.ts";
import { createFakeSessions, type FakeSessions } from "./fakeSessions.ts";
import { launchPages, type OpenPage, THEMES } from "./pages.ts";

export interface TestPageOptions {
	readonly sessions?: FakeSessions;
	readonly memory?: FakeMemory;
	readonly permissions?: FakePermissions;
	readonly policies?: readonly SourcedPolicy[];
	readonly width?: number;
	readonly words?: PageWords;
}

interface TestPage extends OpenPage<ViewRequest, ViewUpdate> {
	/** Resolves when the page has sent a request of this kind, now or earlier. */
	asked<Kind extends ViewRequest["kind"]>(kind: Kind): Promise<Extract<ViewRequest, { kind: Kind }>>;
}

/**
 * Opens the sessions view with the real host on fake services.
 * Pages close after each test, and the browser after the last one of the file.
 */
export async function launchViews() {
	const pages = await launchPages();
	afterEach(async () => Promise.all(pages.browser.contexts().map((context) => context.close())));
	after(() => pages.browser.close());
	return {
		openGraph: pages.openGraph,
		open: async (options: TestPageOptions): Promise<TestPage> => {
			const { width = 300, words } = options;
			const opened = await pages.open<ViewRequest, ViewUpdate>({
				...{ program: "webview", width, ...(words && { words }) },
				hear: (request, tell) => answerInto(request, depsOf(options), tell),
			});
			const last = (kind: string) => opened.requests.findLast((request) => request.kind === kind);
			const asked = (kind: string) => untilIt(async () => last(kind), Boolean);
			return { ...opened, asked: asked as TestPage["asked"] };
		},
	};
}

async function answerInto(
	request: ViewRequest,
	deps: ReturnType<typeof depsOf>,
	tell: TestPage["tell"],
): Promise<void> {
	try {
		await tell((await answerFor(request, deps, new AbortController().signal)) ?? { kind: "did", request });
	} catch (thrown) {
		// VS Code's own actions, such as opening an editor, are missing here.
		if (isFailure(thrown)) await tell({ kind: "failed", request, message: messageOf(thrown) });
	}
	const part = changedBy(request);
	if (part) await tell({ kind: "changed", part });
	// The worker reports changes of sessions, whatever caused them.
	if (!deps.sessions.isChanged) return;
	deps.sessions.isChanged = false;
	await tell({ kind: "changed", part: "sessions" });
}

function depsOf({ policies = [], ...given }: TestPageOptions) {
	return {
		sessions: createFakeSessions(),
		memory: createFakeMemory(),
		permissions: createFakePermissions(),
		...given,
		policies: async () => policies,
		steps: { stop: () => false },
		workspace: () => "file:///home/ada/isles",
	};
}

/** The rules whose result depends on the theme. */
const COLORS: axe.RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] };

/**
 * Returns axe's findings in a page: by all rules in one theme, and by the rules about colors in the others.
 * The page keeps the last theme.
 */
export async function faultsOf(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	const faults: string[] = [];
	for (const [at, theme] of THEMES.entries()) {
		await wear(page, theme);
		for (const fault of await run(page, at === 0 ? {} : COLORS)) faults.push(`${theme.body}: ${fault}`);
	}
	return faults;
}

/** Applies a theme and waits for its transitions: axe would read the colors in between. */
async function wear(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
	await page.evaluate(async ({ body, css }) => {
		document.documentElement.style.cssText = css;
		document.body.className = body;
		const moves = document.getAnimations().filter((each) => each instanceof CSSTransition);
		await Promise.allSettled(moves.map(({ finished }) => finished));
	}, theme);
}

async function run(page: Page, rules: axe.RunOptions): Promise<string[]> {
	const options: axe.RunOptions = { ...rules, preload: false, resultTypes: ["violations"] };
	const check = (wanted: axe.RunOptions) => (window as unknown as { axe: typeof axe }).axe.run(wanted);
	const { violations } = await page.evaluate(check, options);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ""}`),
	);
}
