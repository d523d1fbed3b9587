/** Private fields of a library. Checks each, so that a version without them fails its first test. */
export function internalsOf<Internals extends object>(
	parser: object,
	names: readonly (keyof Internals & string)[],
): Internals {
	const missing = names.filter((name) => !(name in parser));
	if (missing.length > 0)
		throw new TypeError(`${parser.constructor.name} has no ${missing.join(", ")} any more.`);
	return parser as Internals;
}
