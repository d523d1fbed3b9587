import type { Failed, Persistently } from "./persistent.ts";

interface StreamPorts {
	readonly persistently: Persistently;
	/** What a stream that failed means; where a part had come already, only its `failure` is of use. */
	failedOf(thrown: unknown): Failed;
}

/** A stream that is opened again where that may help, as long as nothing of it has come. */
export async function* streamPersistently<Part>(
	{ persistently, failedOf }: StreamPorts,
	open: () => AsyncGenerator<Part>,
	signal: AbortSignal,
): AsyncGenerator<Part> {
	const begin = async () => {
		const parts = open();
		try {
			return { kind: "opened", first: await parts.next(), parts } as const;
		} catch (thrown) {
			signal.throwIfAborted();
			return failedOf(thrown);
		}
	};
	const { first, parts } = await persistently(begin, signal);
	try {
		if (first.done) return;
		yield first.value;
		yield* parts;
	} catch (thrown) {
		signal.throwIfAborted();
		throw failedOf(thrown).failure;
	} finally {
		await parts.return(undefined);
	}
}
