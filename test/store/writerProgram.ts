import { openStore } from "../../src/store/openStore.ts";
import { NAMES, type Order, textsOf } from "./otherProcess.ts";
import { embedder, sampleDocument, uriOf } from "./sampleDocument.ts";

const store = await openStore({ folder: process.argv[2] ?? "", embedder });
process.on("message", async (order: Order) => {
	await carryOut(order);
	process.send?.("done");
});
process.send?.("ready");

function carryOut(order: Order): Promise<unknown> {
	switch (order.kind) {
		case "replace":
			return store.replace(NAMES.map((name) => sampleDocument(name, textsOf(name, order.generation))));
		case "remove":
			return store.remove(NAMES.map(uriOf));
		case "optimize":
			return store.optimize();
	}
}
