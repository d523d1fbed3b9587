import { openStore } from "../../src/store/openStore.ts";
import { embedder, sampleDocument } from "./sampleDocument.ts";

/** Documents to replace, with their texts, or a request to optimize. */
type Order = Readonly<Record<string, readonly string[]>> | "optimize";

const store = await openStore({ folder: process.argv[2] ?? "", embedder });
process.on("message", async (order: Order) => {
	if (order === "optimize") await store.optimize();
	else await store.replace(Object.entries(order).map(([name, texts]) => sampleDocument(name, texts)));
	process.send?.("done");
});
process.send?.("ready");
