import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";

export type Order =
	| { readonly kind: "replace"; readonly generation: number }
	| { readonly kind: "remove" | "optimize" };

export const NAMES = ["a.md", "b.md", "c.md", "d.md"];

export function textsOf(name: string, generation: number): string[] {
	const texts = Array.from({ length: 1 + (generation % 4) });
	return texts.map((_, index) => `${name} generation${generation} ${index}`);
}

export async function startWriter(t: TestContext, folder: string): Promise<ChildProcess> {
	const child = fork(new URL("./writerProgram.ts", import.meta.url), [folder]);
	t.after(() => child.kill("SIGKILL"));
	await once(child, "message");
	return child;
}

export async function order(child: ChildProcess, given: Order): Promise<void> {
	child.send(given);
	await once(child, "message");
}
