import { Parser, type ParserOptions } from "htmlparser2";

/** Deeper elements are read as empty, as browsers do at 512: readers of markup are quadratic in depth. */
const MAX_NESTING = 256;

type Callbacks = ConstructorParameters<typeof Parser>[0];

/** The library's stack is quadratic in depth; only a subclass can say that an element has no content. */
export class NestingParser extends Parser {
	readonly #depth: () => number;
	#isTooDeep = false;

	constructor(
		depth: () => number,
		callbacks: Callbacks,
		options: ParserOptions = { recognizeSelfClosing: true },
	) {
		super(callbacks, options);
		this.#depth = depth;
	}

	override onopentagname(start: number, endIndex: number): void {
		this.#isTooDeep = this.#depth() >= MAX_NESTING;
		super.onopentagname(start, endIndex);
	}

	override onclosetag(start: number, endIndex: number): void {
		this.#isTooDeep = false;
		super.onclosetag(start, endIndex);
	}

	protected override isVoidElement(name: string): boolean {
		return this.#isTooDeep || super.isVoidElement(name);
	}
}
