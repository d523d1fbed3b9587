import { openStore } from "../store/openStore.ts";
import type { EmbedderId, Reads, Store } from "../store/port/store.ts";
import { type Models, openModels } from "./embedding/models.ts";
import { type Relocation, relocate, relocationOf } from "./files/relocation.ts";
import type { SourceFiles } from "./files/sources.ts";
import type { KnowledgeBaseOptions } from "./knowledgeBaseOptions.ts";
import { openStorage, type Storage } from "./storage.ts";

/** The index where the settings say, with the models of its vectors. */
export interface OpenIndex extends Pick<Storage, "lock" | "readers"> {
	/** For those who write it. */
	readonly store: Store;
	/** For those who answer from it. */
	readonly reads: Reads;
	readonly models: Models;
	/** Why nothing may be written. */
	readonly readOnly: string | undefined;
	/** What a person must know to judge an answer from it. */
	notices(): string[];
}

type OpenIndexOptions = Pick<
	KnowledgeBaseOptions,
	"dataFolder" | "modelFolder" | "storage" | "embedding" | "secretOf" | "name"
>;

/** An index that is read only may have been made elsewhere: its files are looked for in the folders that are open here. */
export async function openIndex(options: OpenIndexOptions, sources: SourceFiles): Promise<OpenIndex> {
	const { dataFolder, modelFolder, name, secretOf = async () => undefined } = options;
	const { storage: settings = {} } = options;
	const { location, snapshotFolder, lock, readers, readOnly } = await openStorage({
		dataFolder,
		settings,
		...(name && { name }),
		credentials: (address) => secretOf({ kind: "storage", address }),
	});
	const models = await openModels({
		modelFolder,
		settings: options.embedding ?? { provider: "built-in" },
		isChosen: options.embedding !== undefined,
		isReadOnly: readOnly !== undefined,
		keyOf: (address) => secretOf({ kind: "embedding", address }),
	});
	const store = await openStore({
		...location,
		...(snapshotFolder !== undefined && { snapshotFolder }),
		embedder: () => describe(models),
		staleness: models.staleness,
		...(readOnly !== undefined && { readOnly }),
		...(settings.memoryMb !== undefined && { memoryBytes: settings.memoryMb * 2 ** 20 }),
	});
	const place = { store, models, lock, readers, readOnly };
	if (readOnly === undefined) return { ...place, reads: store, notices: () => [] };
	const relocation = relocationIn(sources, await store.folders());
	const notices = () => relocation().absent.map(({ name }) => absence(name));
	return { ...place, reads: relocate(store, relocation), notices };
}

/** An endpoint that is away now gives no length: the index begins without vectors, and gets them when it is back. */
async function describe({ wanted }: Models): Promise<EmbedderId | undefined> {
	if (!wanted) return undefined;
	const probe = await wanted.questions(["length"], new AbortController().signal).catch(() => undefined);
	return probe && { id: wanted.id, dimensions: probe.dimensions };
}

/** Made again when other folders are open. */
function relocationIn(sources: SourceFiles, made: Awaited<ReturnType<Store["folders"]>>): () => Relocation {
	let last: { readonly folders: unknown; readonly relocation: Relocation } | undefined;
	return () => {
		const folders = sources.folders();
		if (last?.folders !== folders) last = { folders, relocation: relocationOf(made, folders) };
		return last.relocation;
	};
}

function absence(name: string): string {
	return `The index was made from the folder "${name}", which is not open here, so citations of its files cannot be opened. Open a folder with this name.`;
}
