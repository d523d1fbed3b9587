import { constants, setPriority } from "node:os";
import { messageOf } from "../../base/failure.ts";
import { openStaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import type { ParserMessage, ParserOptions } from "./parserMessage.ts";
import { createPassageReader } from "./passageReader.ts";
import { type FileRequest, readDocument } from "./readDocument.ts";

// The program of the parser's process: one file after the other, where a hostile one harms nothing else.
// Reading files can wait: questions to the worker, and the editor, go first.
setPriority(constants.priority.PRIORITY_LOW);
process.once("disconnect", () => process.exit());
void serve(JSON.parse(process.argv[2] ?? "{}"));

async function serve({ modelFolder }: ParserOptions): Promise<void> {
	const embedder = modelFolder === undefined ? undefined : await openStaticEmbedder(modelFolder);
	const reader = createPassageReader(embedder);
	process.on("message", async (request: FileRequest) => {
		tell(await answer(() => readDocument(request, reader)));
	});
	tell({ kind: "ready" });
}

function tell(message: ParserMessage): void {
	process.send?.(message);
}

async function answer(read: () => ReturnType<typeof readDocument>): Promise<ParserMessage> {
	try {
		return { kind: "answer", answer: await read() };
	} catch (thrown) {
		return { kind: "broken", reason: messageOf(thrown) };
	}
}
