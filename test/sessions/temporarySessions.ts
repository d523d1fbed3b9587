import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import {
	derivedFolder,
	openSessions,
	type SessionStore,
	type SessionsOptions,
} from "../../src/sessions/openSessions.ts";
import { makeFolder } from "../support/folder.ts";
import { ANNA, NOTHING_HIDDEN } from "./turns.ts";

export const never = new AbortController().signal;
export const embedder = await openStaticEmbedder("media/model");

export function derivedOf(home: string): string {
	return derivedFolder(home, [ANNA]);
}

export function journalOf(home: string, id: string): string {
	return join(home, "journals", `${id}.jsonl`);
}

/** Stores open in each folder, which are closed before the folder is deleted. */
const opened = new Map<string, SessionStore[]>();

export async function makeHome(t: TestContext): Promise<string> {
	const stores: SessionStore[] = [];
	t.after(() => Promise.all(stores.map((store) => store.close())));
	const home = await makeFolder(t);
	opened.set(home, stores);
	return home;
}

type Options = Partial<Pick<SessionsOptions, "reader" | "visibility">> & { readonly mayFail?: boolean };

/** Opens the sessions in a folder. Background errors fail the test unless `mayFail` is set. */
export function openIn(t: TestContext, folder: string, { mayFail = false, ...options }: Options = {}) {
	const errors: unknown[] = [];
	const store = openSessions({
		...{ folder, embedder, reader: [ANNA], visibility: NOTHING_HIDDEN, onChange: () => undefined },
		onError: (thrown) => errors.push(thrown),
		...options,
	});
	opened.get(folder)?.push(store);
	t.after(() => {
		if (!mayFail && errors.length > 0) throw errors[0];
	});

	return store;
}

export async function openTemporary(t: TestContext): Promise<SessionStore & { readonly home: string }> {
	const home = await makeHome(t);
	return { ...openIn(t, home), home };
}

export const idsOf = async ({ list }: SessionStore["sessions"], query = {}) =>
	(await list({ limit: 99, ...query }, never)).sessions.map(({ id }) => id);

/** Reads all files below a folder as one text. */
export async function textIn(folder: string): Promise<string> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
	return (await Promise.all(texts)).join("\n");
}
