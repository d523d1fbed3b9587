import { constants, setPriority } from "node:os";
import { messageOf } from "../../base/failure.ts";
import type { SentenceTransformer } from "./sentenceTransformer.ts";

export interface EmbeddingRequest {
	readonly number: number;
	readonly texts: readonly string[];
}

/** The first message is `ready`, or `failed` without a number if the model cannot be loaded. */
export type EmbeddingMessage =
	| { readonly kind: "ready" }
	| { readonly kind: "embedded"; readonly number: number; readonly vectors: Float32Array }
	| { readonly kind: "failed"; readonly number?: number; readonly reason: string };

// This program runs in a separate process, because the runtime is native code that never returns memory.
// Without a folder, it only tests whether the runtime can be loaded.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once("disconnect", () => process.exit());
void serve(process.argv[2]);

async function serve(folder: string | undefined): Promise<void> {
	try {
		const { openSentenceTransformer } = await import("./sentenceTransformer.ts");
		const model = folder === undefined ? undefined : await openSentenceTransformer(folder);
		if (model) process.on("message", async (request: EmbeddingRequest) => tell(await answer(request, model)));
		tell({ kind: "ready" });
	} catch (thrown) {
		tell({ kind: "failed", reason: messageOf(thrown) });
	}
}

/** Requests take turns after each batch, so that a question need not wait for earlier passages. */
async function answer(
	{ number, texts }: EmbeddingRequest,
	model: SentenceTransformer,
): Promise<EmbeddingMessage> {
	try {
		return { kind: "embedded", number, vectors: await model.embed(texts) };
	} catch (thrown) {
		return { kind: "failed", number, reason: messageOf(thrown) };
	}
}

function tell(message: EmbeddingMessage): void {
	process.send?.(message, undefined, {}, () => undefined);
}
