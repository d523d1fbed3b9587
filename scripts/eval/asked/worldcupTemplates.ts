import type { Template } from "./templates.ts";

export const WORLDCUP_PREFIXES = `PREFIX p: <http://example.org/wc2014/prop/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>`;

const TEAM = "?p p:plays_for_country ?a . ?a rdfs:label ?aName .";
const CLUB = "?p p:plays_in_club ?a . ?a rdfs:label ?aName .";
const PLACE = "?c p:is_in_country ?a . ?a rdfs:label ?aName .";
const AGED = (slot: string, age: string) => `?${slot} p:is_aged/rdfs:label ?${age} .`;

function extreme(pattern: string, end: "MAX" | "MIN"): string {
	const other = pattern.replaceAll("?x", "?y");
	return `${pattern} ${AGED("x", "v")} {SELECT (${end}(?w) AS ?v) WHERE {${other} ${AGED("y", "w")}}}`;
}

export const WORLDCUP_TEMPLATES: readonly Template[] = [
	{
		kind: "linked",
		asks: [
			"Who plays for {a}?",
			"Which players play for {a}?",
			"How many players play for {a}?",
			"Who plays for the country {a}?",
		],
		fill: TEAM,
		truth: "?x p:plays_for_country {a}",
	},
	{
		kind: "linked",
		asks: [
			"Who plays in the club {a}?",
			"Which players play in {a}?",
			"How many players does {a} have?",
			"Who plays in {a}?",
		],
		fill: CLUB,
		truth: "?x p:plays_in_club {a}",
	},
	{
		kind: "linked",
		asks: ["Which club does {a} play in?", "Which clubs does {a} play in?", "What club does {a} play in?"],
		fill: "?a p:plays_in_club ?c ; rdfs:label ?aName .",
		truth: "{a} p:plays_in_club ?x",
	},
	{
		kind: "linked",
		asks: ["Which country does {a} play for?", "Which countries does {a} play for?"],
		fill: "?a p:plays_for_country ?c ; rdfs:label ?aName .",
		truth: "{a} p:plays_for_country ?x",
	},
	{
		kind: "linked",
		asks: [
			"Which clubs are in {a}?",
			"How many clubs are in {a}?",
			"List all clubs in {a}",
			"Which clubs are in the country {a}?",
		],
		fill: PLACE,
		truth: "?x p:is_in_country {a}",
	},
	{
		kind: "linked",
		asks: ["Who plays the position {a}?", "How many players play the position {a}?"],
		fill: "?p p:plays_position ?a . ?a rdfs:label ?aName .",
		truth: "?x p:plays_position {a}",
	},
	{
		kind: "value",
		asks: ["Who wears the number {a}?", "Which players wear number {a}?"],
		fill: "?p p:wears_number ?a . ?a rdfs:label ?aName .",
		truth: "?x p:wears_number {a}",
	},
	{
		kind: "two steps",
		asks: ["Who plays in clubs in {a}?", "Which players play in clubs in {a}?"],
		fill: PLACE,
		truth: "?x p:plays_in_club/p:is_in_country {a}",
	},
	{
		kind: "two steps",
		asks: ["Which clubs have players from {a}?", "Which clubs have players who play for {a}?"],
		fill: TEAM,
		truth: "?p p:plays_for_country {a} ; p:plays_in_club ?x",
	},
	{
		kind: "both",
		asks: ["Who plays for {a} and plays in {b}?", "Which players play both for {a} and in {b}?"],
		fill: "?p p:plays_for_country ?a ; p:plays_in_club ?b . ?a rdfs:label ?aName . ?b rdfs:label ?bName .",
		truth: "?x p:plays_for_country {a} ; p:plays_in_club {b}",
	},
	{
		kind: "both",
		asks: ["Who plays the position {a} for {b}?", "Which players play the position {a} for {b}?"],
		fill: "?p p:plays_position ?a ; p:plays_for_country ?b . ?a rdfs:label ?aName . ?b rdfs:label ?bName .",
		truth: "?x p:plays_position {a} ; p:plays_for_country {b}",
	},
	{
		kind: "either",
		asks: ["Who plays in {a} or {b}?", "Which players play in {a} or in {b}?"],
		fill: "?p p:plays_in_club ?a . ?q p:plays_in_club ?b . ?a rdfs:label ?aName . ?b rdfs:label ?bName . ?p p:plays_for_country ?c . ?q p:plays_for_country ?c . FILTER(?aName < ?bName)",
		truth: "VALUES ?c {{a} {b}} ?x p:plays_in_club ?c",
	},
	{
		kind: "negation",
		asks: ["Who plays for {a} and not in {b}?", "Which players of {a} do not play in {b}?"],
		fill: "?p p:plays_for_country ?a ; p:plays_in_club ?b . ?a rdfs:label ?aName . ?b rdfs:label ?bName .",
		truth: "?x p:plays_for_country {a} . FILTER NOT EXISTS {?x p:plays_in_club {b}}",
	},
	{
		kind: "limit",
		asks: [
			"Who is older than {a}?",
			"Which players are aged over {a}?",
			"How many players are older than {a}?",
		],
		fill: "VALUES ?a {33 34 35 36}",
		truth: `${AGED("x", "v")} FILTER(xsd:integer(?v) > {a})`,
	},
	{
		kind: "extreme",
		asks: [
			"Who is the oldest player of {a}?",
			"Which player of {a} is the oldest?",
			"Who is the oldest who plays for {a}?",
		],
		fill: TEAM,
		truth: extreme("?x p:plays_for_country {a} .", "MAX"),
	},
	{
		kind: "extreme",
		asks: ["Who is the youngest player in {a}?", "Which player in {a} is the youngest?"],
		fill: CLUB,
		truth: extreme("?x p:plays_in_club {a} .", "MIN"),
	},
	{
		kind: "comparison",
		asks: [
			"Who is older, {a} or {b}?",
			"Is {a} older than {b}?",
			"Was {a} or {b} older?",
			"Which player is older, {a} or {b}?",
		],
		fill: `?a p:plays_for_country ?c ; rdfs:label ?aName . ?b p:plays_for_country ?c ; rdfs:label ?bName . ${AGED("a", "v")} ${AGED("b", "w")} FILTER(?v != ?w)`,
		truth: extreme("VALUES ?x {{a} {b}}", "MAX"),
	},
	{
		kind: "comparison",
		asks: ["Who is younger, {a} or {b}?", "Is {a} younger than {b}?"],
		fill: `?a p:plays_in_club ?c ; rdfs:label ?aName . ?b p:plays_in_club ?c ; rdfs:label ?bName . ${AGED("a", "v")} ${AGED("b", "w")} FILTER(?v != ?w)`,
		truth: extreme("VALUES ?x {{a} {b}}", "MIN"),
	},
	{
		kind: "no answer",
		asks: [
			"How many stadiums are there?",
			"Which clubs are bankrupt?",
			"Who is injured?",
			"Which players scored more than 3 goals?",
			"Which clubs have a coach from Spain?",
			"Which countries won the final?",
		],
	},
	{
		kind: "no answer",
		asks: [
			"Which clubs did {a} found?",
			"Who coaches {a}?",
			"Who scored against {a}?",
			"Which players left {a}?",
		],
		fill: TEAM,
	},
];
