import { unzipSync } from "fflate";
import { decodeText } from "../passages/decodeText.ts";
import { Unreadable } from "./unreadable.ts";

/** The files in an archive, by their paths. */
export interface Archive {
	readonly names: readonly string[];
	/** The text of one; empty where there is none. */
	text(name: string): string;
}

/** Bytes of all files together, of one, and how many there may be: what has more is a bomb, or no document. */
const MAX_BYTES = 400_000_000;
const MAX_ENTRY = 150_000_000;
const MAX_ENTRIES = 20_000;
/** How much smaller an honest file of text gets. */
const MAX_RATIO = 1000;

/** An office program keeps an encrypted document in one of these in place of an archive. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** Unpacks only the files that are wanted; rejects bombs before they are unpacked. */
export function openArchive(bytes: Uint8Array, isWanted: (name: string) => boolean): Archive {
	if (COMPOUND_FILE.every((byte, at) => bytes[at] === byte))
		throw new Unreadable("it is encrypted, or of an older version of its program");
	const names: string[] = [];
	let total = 0;
	const files = unzipSync(bytes, {
		filter: ({ name, originalSize, size }) => {
			names.push(name);
			if (names.length > MAX_ENTRIES) throw new Unreadable("its archive has too many files");
			if (!isWanted(name)) return false;
			total += originalSize;
			const isBomb = originalSize > 1_000_000 && originalSize > size * MAX_RATIO;
			if (isBomb || originalSize > MAX_ENTRY || total > MAX_BYTES)
				throw new Unreadable("its archive unpacks to too much");
			return true;
		},
	});
	return {
		names,
		text: (name) => {
			const file = Object.hasOwn(files, name) ? files[name] : undefined;
			return file ? (decodeText(file) ?? "") : "";
		},
	};
}
