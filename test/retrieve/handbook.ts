import { fileURLToPath } from "node:url";
import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import type { SearchQuery } from "../../src/core/knowledge/knowledge.ts";
import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import type { Store, StoredDocument } from "../../src/store/port/store.ts";
import { sampleDocument } from "../store/sampleDocument.ts";

export const builtIn = await openStaticEmbedder(fileURLToPath(new URL("../../media/model", import.meta.url)));
export const folder = "file:///notes/";

/** A ship's handbook by path: the class of the document's resource, and passages. */
export const handbook: Readonly<Record<string, readonly [type: string, ...texts: string[]]>> = {
	"engine/cooling.md": [
		"System",
		"The cooling pump circulates sea water through the heat exchanger.",
		"When the temperature alarm sounds, reduce the speed and inspect the impeller of the pump.",
	],
	"engine/fuel.md": [
		"System",
		"Two tanks hold four hundred litres of diesel each.",
		"Bleed the air out of the fuel line after the filter was replaced.",
	],
	"deck/anchor.md": [
		"Manoeuvre",
		"Let out chain five times the depth of the water before the anchor holds.",
		"The windlass raises the chain; its breaker is under the companionway.",
	],
	"deck/sails.md": ["Manoeuvre", "Take in a reef when the wind grows too strong.", "Hoist the mainsail."],
	"radio/distress.md": [
		"Procedure",
		"Press the red button of the VHF radio for five seconds to send a distress call.",
		"Say MAYDAY three times, then the name of the ship, the position and the number of persons on board.",
	],
	"crew/ada.md": ["Person", "Captain Ada Byron has sailed around Cape Horn. Her phone is +44 20 7946 0958."],
	"galley/stove.md": ["System", "Close the gas valve after cooking. getBurnerState() reads the sensor."],
};

/** Questions, each with the passage that answers it. */
export const QUESTIONS: Readonly<Record<string, string>> = {
	"How do I send an emergency signal?": "radio/distress.md:1",
	"what to do when the motor gets too hot": "engine/cooling.md:11",
	"How much chain for anchoring?": "deck/anchor.md:1",
	"who is the captain": "crew/ada.md:1",
	"get air bubbles out of the fuel system": "engine/fuel.md:11",
	getBurnerState: "galley/stove.md:1",
	"7946 0958": "crew/ada.md:1",
	"it's blowing hard: REEFING?!": "deck/sails.md:1",
};

export async function documentsOf(embedder: Embedder | undefined): Promise<StoredDocument[]> {
	const documents = Object.entries(handbook);
	return Promise.all(documents.map(([path, [type, ...texts]]) => toDocument(path, type, texts, embedder)));
}

export async function toDocument(
	path: string,
	type: string,
	texts: readonly string[],
	embedder: Embedder | undefined,
): Promise<StoredDocument> {
	const id = `https://ship.example/${path}`;
	const types = [`https://ship.example/types#${type}`];
	const { record, ...sample } = sampleDocument(path, texts, {
		resources: [{ id, types, label: path, lines: { start: 1, end: 9 } }],
	});
	return {
		...sample,
		record: { ...record, uri: folder + path, hash: path },
		passages: texts.map((text, index) => ({
			title: path.replace(/\W+/g, " "),
			text,
			lines: { start: 10 * index + 1, end: 10 * index + 9 },
			resource: index === 0 ? id : `_:b${index}`,
		})),
		vectors: (await embedder?.embed(texts)) ?? new Float32Array(),
		embedder: embedder?.id,
	};
}

export function searchIn(store: Store, embedder: Embedder) {
	const retriever = createRetriever({ store, embedder, pathOf: (uri) => uri.slice(folder.length) });
	return (query: SearchQuery) => retriever.search(query, new AbortController().signal);
}
