import { after, afterEach } from "node:test";
import { isFailure, messageOf } from "../../src/base/failure.ts";
import type { SourcedPolicy } from "../../src/core/knowledge/catalog.ts";
import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import { answerFor, changedBy } from "../../src/vscode/sessionsView/host.ts";
import type { PageWords } from "../../src/vscode/webviewPage.ts";
import { createFakePermissions, type FakePermissions } from "../support/fakePermissions.ts";
import { untilIt } from "../support/untilIt.ts";
import { createFakeMemory, type FakeMemory } from "./fakeMemory.ts";
import { createFakeSessions, type FakeSessions } from "./fakeSessions.ts";
import { launchPages, type OpenPage } from "./pages.ts";

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
