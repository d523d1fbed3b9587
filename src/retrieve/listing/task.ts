import type { Form } from "./form.ts";
import type { Noun } from "./members.ts";
import type { Restriction } from "./restriction.ts";
import type { ListingPorts } from "./tell.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface Ports extends ListingPorts {
	readonly vocabulary: Vocabulary;
	/** Whether it is what something else is restricted by: then it is the last step. */
	readonly isOther?: boolean;
}

/** What is looked for, and what is understood of it so far. */
export interface Task extends Ports, Pick<Form, "words" | "isByData" | "isOpen"> {
	readonly noun: Noun;
	readonly restriction: Restriction;
}
