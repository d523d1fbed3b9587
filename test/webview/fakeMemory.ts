import { Failure } from "../../src/base/failure.ts";
import type { Fact, Memory } from "../../src/core/session/memory.ts";

export interface FakeMemory extends Memory {
	known: readonly Fact[];
}

/** Facts in memory, newest first. */
export function createFakeMemory(known: readonly Fact[] = []): FakeMemory {
	const memory: FakeMemory = {
		known,
		remember: async (fact) => {
			const at = Date.now();
			const added: Fact = { ...fact, id: `f${memory.known.length}-${at}`, createdAt: at, updatedAt: at };
			memory.known = [added, ...memory.known];
			return { fact: added, isNew: true, contradicts: [] };
		},
		recall: async () => [],
		facts: async () => memory.known,
		edit: async (id, text) => {
			const fact = memory.known.find((one) => one.id === id);
			if (!fact) throw new Failure("NOT_FOUND", "There is no such fact any more.");
			memory.known = memory.known.map((one) => (one.id === id ? { ...fact, text } : one));
			return { ...fact, text };
		},
		forget: async (id) => {
			memory.known = memory.known.filter((one) => one.id !== id);
		},
	};
	return memory;
}

export function oneFact(id: string, part: Partial<Fact>): Fact {
	const at = Date.now() - 3_600_000;
	const text = "Answers are wanted in short sentences";
	return { id, text, scope: "user", source: { by: "person" }, createdAt: at, updatedAt: at, ...part };
}
