import { Failure } from "../../src/base/failure.ts";
import type { Fact, Memory, NewFact, Recollection, Remembered } from "../../src/core/session/memory.ts";

/** Facts in memory, newest first. */
export class FakeMemory implements Memory {
	known: Fact[];

	constructor(facts: readonly Fact[]) {
		this.known = [...facts];
	}

	async remember(fact: NewFact): Promise<Remembered> {
		const now = Date.now();
		const added: Fact = { ...fact, id: `f${this.known.length}-${now}`, createdAt: now, updatedAt: now };
		this.known = [added, ...this.known];
		return { fact: added, isNew: true, contradicts: [] };
	}

	async recall(): Promise<readonly Recollection[]> {
		return [];
	}

	async facts(): Promise<readonly Fact[]> {
		return this.known;
	}

	async edit(id: string, text: string): Promise<Fact> {
		const fact = this.known.find((one) => one.id === id);
		if (!fact) throw new Failure("NOT_FOUND", "There is no such fact any more.");
		const edited = { ...fact, text };
		this.known = this.known.map((one) => (one.id === id ? edited : one));
		return edited;
	}

	async forget(id: string): Promise<void> {
		this.known = this.known.filter((one) => one.id !== id);
	}
}

export function oneFact(id: string, part: Partial<Fact>): Fact {
	const at = Date.now() - 3_600_000;
	const text = "Answers are wanted in short sentences";
	return { id, text, scope: "user", source: { by: "person" }, createdAt: at, updatedAt: at, ...part };
}
