import type { Store } from "../../store/port/store.ts";

/** The store of those who index; every change that is committed is told, with the documents that it is about. */
export function createIndexStore(store: Store, onChange: (uris: readonly string[]) => void): Store {
	return {
		...store,
		replace: async (documents) => {
			await store.replace(documents);
			onChange(documents.map(({ record }) => record.uri));
		},
		remove: async (uris) => {
			await store.remove(uris);
			onChange(uris);
		},
		clear: async () => {
			await store.clear();
			onChange([]);
		},
	};
}
