/**
 * Fields that a library keeps private and offers no public way to. Each is looked for at once, so that a version that
 * keeps them elsewhere fails its first test instead of reading wrong lines.
 */
export function internalsOf<Internals extends object>(
	parser: object,
	names: readonly (keyof Internals & string)[],
): Internals {
	const missing = names.filter((name) => !(name in parser));
	if (missing.length > 0)
		throw new TypeError(`${parser.constructor.name} has no ${missing.join(", ")} any more.`);
	return parser as Internals;
}
