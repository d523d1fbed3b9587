import { Parser } from "htmlparser2";

/** Elements that are nested deeper are read as empty ones, as browsers do at 512: readers of markup get quadratic. */
const MAX_NESTING = 256;

type Callbacks = ConstructorParameters<typeof Parser>[0];

/** The library keeps its stack in a way that gets quadratic; only a subclass can say that an element has no content. */
export class NestingParser extends Parser {
	readonly #depth: () => number;
	#isTooDeep = false;

	/** `depth` says how many elements are open. */
	constructor(depth: () => number, callbacks: Callbacks) {
		super(callbacks, { recognizeSelfClosing: true });
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
