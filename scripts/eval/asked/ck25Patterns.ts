export const CK25_PREFIXES = `PREFIX pv: <http://ld.company.org/prod-vocab/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>`;

export const EMPLOYEE = "?x a/rdfs:subClassOf* pv:Employee .";
export const PRODUCT = "?x a/rdfs:subClassOf* pv:Product .";
export const DEPARTMENT = "?a a pv:Department ; pv:name ?aName .";
export const AREA = "?p pv:areaOfExpertise ?a . ?a pv:name ?aName .";
export const CATEGORY = "?h a pv:Hardware ; pv:hasCategory ?a . ?a pv:name ?aName .";
export const HARDWARE = "?a a pv:Hardware ; pv:name ?aName .";
export const COUNTRY = "?s a pv:Supplier ; pv:addressCountry ?a .";
export const FEWER = "HAVING (COUNT(?x) < 12)";

/** Keeps only things with a unique name. */
export const UNIQUE = "FILTER NOT EXISTS {?same rdfs:label|pv:name ?aName . FILTER(?same != ?a)}";
