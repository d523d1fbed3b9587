export const BIONOVA_PREFIXES = `PREFIX s: <https://schema.org/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>`;

/** A pattern for a thing with an IRI and a name. */
export function named(slot: string): string {
	return `?${slot} s:name ?${slot}Name . FILTER(isIRI(?${slot}))`;
}

export const DRUG_TRIAL = `?t a s:MedicalTrial ; s:studySubject ?a . ${named("a")}`;
export const PLATFORM = `?p a s:SoftwareApplication ; s:softwareRequirements ?a . ?a a s:SoftwareApplication . ${named("a")}`;
