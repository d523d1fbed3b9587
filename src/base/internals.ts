/** Accesses private fields of a library's object. Throws if a field is missing, as in an incompatible version. */
export function internalsOf<Internals extends object>(
	parser: object,
	names: readonly (keyof Internals & string)[],
): Internals {
	const missing = names.filter((name) => !(name in parser));
	if (missing.length > 0)
		throw new TypeError(`${parser.constructor.name} has no ${missing.join(", ")} any more.`);
	return parser as Internals;
}
