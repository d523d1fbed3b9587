import { create, insertMultiple, search } from "@orama/orama";
import MiniSearch from "minisearch";
import { type Peer, TOP } from "./peer.ts";

export const miniSearch: Peer = {
	name: "MiniSearch",
	by: "text",
	most: 100_000,
	open: ({ texts }) => {
		const index = new MiniSearch({ fields: ["content"] });
		index.addAll(texts.map((content, id) => ({ id, content })));
		return {
			count: () => index.documentCount,
			search: ({ text }) => index.search(text).slice(0, TOP),
			close: () => undefined,
		};
	},
};

export const orama: Peer = {
	name: "Orama, text and vectors",
	by: "both",
	most: 10_000,
	open: async ({ texts, vectors, dimensions }) => {
		const index = create({ schema: { content: "string", embedding: `vector[${dimensions}]` } });
		const rows = texts.map((content, row) => ({
			content,
			embedding: [...vectors.subarray(row * dimensions, (row + 1) * dimensions)],
		}));
		const ids = await insertMultiple(index, rows);
		return {
			count: () => ids.length,
			search: ({ text, vector }) =>
				search(index, {
					mode: "hybrid",
					term: text,
					vector: { value: [...vector], property: "embedding" },
					limit: TOP,
				}),
			close: () => undefined,
		};
	},
};
