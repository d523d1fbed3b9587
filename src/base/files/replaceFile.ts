import { rename } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fieldOf } from "../values.ts";

/** How the system does it; given in tests. */
export interface Replacing {
	readonly platform: NodeJS.Platform;
	rename(from: string, to: string): Promise<void>;
	pause(milliseconds: number): Promise<unknown>;
}

const REPLACING: Replacing = { platform: process.platform, rename, pause: setTimeout };

const TRIES = 8;
const FIRST_PAUSE = 5;

/** Puts a file in the place of another. Windows refuses this for as long as a program, or a virus scanner, reads either. */
export async function replaceFile(from: string, to: string, how: Replacing = REPLACING): Promise<void> {
	for (let left = TRIES, pause = FIRST_PAUSE; ; left--, pause *= 2)
		try {
			return await how.rename(from, to);
		} catch (thrown) {
			const isHeld = /^(EPERM|EACCES|EBUSY)$/.test(`${fieldOf(thrown, "code")}`);
			if (how.platform !== "win32" || !isHeld || left <= 1) throw thrown;
			await how.pause(pause);
		}
}
