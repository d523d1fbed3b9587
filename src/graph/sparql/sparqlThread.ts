import { parentPort } from "node:worker_threads";
import { messageOf } from "../../base/failure.ts";
import {
	createSparqlStore,
	type FromSparqlThread,
	type QueryMessage,
	type SyncMessage,
} from "./sparqlStore.ts";

const store = createSparqlStore();

parentPort?.on("message", (message: SyncMessage | QueryMessage) => parentPort?.postMessage(answer(message)));

function answer(message: SyncMessage | QueryMessage): FromSparqlThread {
	try {
		if (message.kind === "query") return { kind: "answer", result: store.query(message) };
		store.sync(message);
		return { kind: "synced" };
	} catch (thrown) {
		// A panic in WebAssembly leaves the module unusable. A plain `Error` means that the query is invalid.
		const isQuerysFault = message.kind === "query" && Object.getPrototypeOf(thrown) === Error.prototype;
		return { kind: isQuerysFault ? "refused" : "broken", reason: messageOf(thrown) };
	}
}
