export function typeKeyOf(type: string): string {
	return type.toLowerCase();
}

/** A class is found by its IRI and by its last segment. */
export function typeKeysOf(type: string): string[] {
	const key = typeKeyOf(type);
	return [key, key.slice(Math.max(key.lastIndexOf("/"), key.lastIndexOf("#")) + 1)];
}
