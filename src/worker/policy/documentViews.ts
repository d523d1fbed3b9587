import type { DocumentRecord } from "../../core/knowledge/document.ts";
import type { Reads } from "../../store/port/store.ts";
import { type DocumentView, isBroken, NOTHING_SHOWN, viewDocument } from "./documentView.ts";
import type { Membership, Memberships } from "./memberships.ts";
import type { DoorPolicy } from "./policies.ts";

export interface ViewPorts {
	readonly store: Reads;
	readonly policy: () => DoorPolicy | undefined;
	readonly memberships: Memberships;
}

/** What one door sees of documents of which a part may be hidden. */
export interface DocumentViews {
	/** Of these documents, those of which a part is hidden. */
	of(uris: readonly string[]): Promise<ReadonlyMap<string, DocumentView>>;
	/** Another one when the same documents are seen otherwise. */
	version(): Promise<string>;
}

interface KnownView {
	readonly record: DocumentRecord;
	readonly version: string;
	readonly view: DocumentView | undefined;
}

export function createDocumentViews({ store, policy, memberships }: ViewPorts): DocumentViews {
	const known = new Map<string, KnownView>();
	return {
		version: async () => {
			const now = policy();
			return now ? versionOf(now, await memberships(now.typeRules)) : "";
		},
		of: async (uris) => {
			const now = policy();
			if (!now) return new Map();
			const touched = [...new Set(uris)].filter((uri) => now.partRules(uri).length > 0);
			await learn(touched, now);
			// What went while it was learned is shown no more.
			const views = touched.map(
				(uri) => [uri, known.has(uri) ? known.get(uri)?.view : NOTHING_SHOWN] as const,
			);
			return new Map(views.flatMap(([uri, view]) => (view ? [[uri, view] as const] : [])));
		},
	};

	/** Again, where a document was replaced meanwhile. */
	async function learn(uris: readonly string[], policy: DoorPolicy): Promise<void> {
		const membership = await memberships(policy.typeRules);
		const version = versionOf(policy, membership);
		const isNews = (record: DocumentRecord) => {
			const { record: seen, version: then } = known.get(record.uri) ?? {};
			return seen !== record || then !== version;
		};
		const news = () => uris.flatMap((uri) => store.documents().get(uri) ?? []).filter(isNews);
		for (let records = news(); records.length > 0; records = news()) {
			const views = await viewAll(records, { store, policy, membership });
			for (const record of records) known.set(record.uri, { record, version, view: views.get(record.uri) });
		}
	}
}

function versionOf({ key }: DoorPolicy, { version }: Membership): string {
	return `${key} ${version}`;
}

interface Sight {
	readonly store: Reads;
	readonly policy: DoorPolicy;
	readonly membership: Membership;
}

/** Those of which a part is hidden; of one that went meanwhile, all. */
async function viewAll(
	records: readonly DocumentRecord[],
	{ store, policy, membership }: Sight,
): Promise<Map<string, DocumentView>> {
	const telling = records.filter((record) => record.quads > 0 || isBroken(record));
	const statements = await store.statementsOf(telling.map(({ uri }) => uri));
	const views = new Map<string, DocumentView>();
	for (const record of telling) {
		const { uri } = record;
		const stated = statements.get(uri);
		const readPassages = () => store.passagesOf(uri);
		const document = stated && { ...stated, record, readPassages };
		const view = document ? await viewDocument(document, policy.partRules(uri), membership) : NOTHING_SHOWN;
		if (view) views.set(uri, view);
	}
	return views;
}
