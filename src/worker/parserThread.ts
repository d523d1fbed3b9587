import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../core/failure.ts";
import { openStaticEmbedder } from "../embed/staticEmbedder.ts";
import { type FileRequest, readDocument } from "./readDocument.ts";
import type { ThreadMessage, ThreadOptions } from "./threadMessage.ts";

// The program of the parser's thread: one file after the other, where a hostile one harms nothing else.
if (parentPort) void serve(parentPort, workerData as ThreadOptions);

async function serve(port: MessagePort, { modelFolder }: ThreadOptions): Promise<void> {
	const embedder = modelFolder === undefined ? undefined : await openStaticEmbedder(modelFolder);
	port.on("message", async (request: FileRequest) => {
		const message = await answer(() => readDocument(request, embedder));
		port.postMessage(message, movableOf(message));
	});
	port.postMessage({ kind: "ready" } satisfies ThreadMessage);
}

async function answer(read: () => ReturnType<typeof readDocument>): Promise<ThreadMessage> {
	try {
		return { kind: "answer", answer: await read() };
	} catch (thrown) {
		return { kind: "broken", reason: messageOf(thrown) };
	}
}

/** Vectors are handed over, not copied. */
function movableOf(message: ThreadMessage): ArrayBuffer[] {
	if (message.kind !== "answer" || message.answer.kind !== "parsed") return [];
	const { buffer } = message.answer.vectors;
	return buffer instanceof ArrayBuffer ? [buffer] : [];
}
