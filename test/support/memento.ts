import type { Memento } from "vscode";

export function memento(): Memento {
	const values = new Map<string, unknown>();
	return {
		keys: () => [...values.keys()],
		get: <T>(key: string, fallback?: T) => (values.get(key) ?? fallback) as T,
		update: async (key, value) => void values.set(key, value),
	};
}
