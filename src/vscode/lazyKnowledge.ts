import type { Knowledge } from "../core/knowledge.ts";

/** Knowledge that is opened by the first question, so that a window that asks none pays nothing. */
export function lazyKnowledge(open: () => Promise<Knowledge>): Knowledge {
	return {
		search: async (query, signal) => (await open()).search(query, signal),
		read: async (query, signal) => (await open()).read(query, signal),
		index: async (options, onProgress, signal) => (await open()).index(options, onProgress, signal),
		status: async (signal) => (await open()).status(signal),
	};
}
