import { constants, setPriority } from "node:os";
import { messageOf } from "../../base/failure.ts";
import { programOf } from "../../base/programOf.ts";
import { openStaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import type { ParserMessage, ParserOptions } from "./parserMessage.ts";
import { createPassageReader } from "./passageReader.ts";
import { startProcessorClock } from "./processorClock.ts";
import { type FileRequest, readDocument } from "./readDocument.ts";

// The program of the parser's process: one file after the other, where a hostile one harms nothing else.
// Reading files can wait: questions to the worker, and the editor, go first.
setPriority(constants.priority.PRIORITY_LOW);
process.once("disconnect", () => process.exit());
void serve(JSON.parse(process.argv[2] ?? "{}"));

async function serve({ modelFolder }: ParserOptions): Promise<void> {
	const embedder = modelFolder === undefined ? undefined : await openStaticEmbedder(modelFolder);
	const reader = createPassageReader(embedder);
	const clock = startProcessorClock(programOf("clockThread", "clockThread.ts"));
	process.on("message", async (request: FileRequest) => {
		clock.begin();
		const message = await answer(() => readDocument(request, reader));
		clock.end();
		tell(message);
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
