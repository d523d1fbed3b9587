import { CATEGORY, COUNTRY, EMPLOYEE, HARDWARE, PRODUCT, UNIQUE } from "./ck25Patterns.ts";
import { extreme, type Template } from "./templates.ts";

export const CK25_VALUES: readonly Template[] = [
	{
		kind: "both",
		asks: [
			"Which products are in the categories {a} and {b}?",
			"Which products have both categories {a} and {b}?",
		],
		fill: "?h pv:hasCategory ?a, ?b . ?a pv:name ?aName . ?b pv:name ?bName . FILTER(?aName < ?bName)",
		truth: `${PRODUCT} ?x pv:hasCategory {a}, {b}`,
	},
	{
		kind: "both",
		asks: [
			"Which employees in {a} have expertise in {b}?",
			"Which members of {a} are experts in {b}?",
			"How many employees of {a} have expertise in {b}?",
		],
		fill: "?p pv:memberOf ?a ; pv:areaOfExpertise ?b . ?a pv:name ?aName . ?b pv:name ?bName .",
		truth: "?x pv:memberOf {a} ; pv:areaOfExpertise {b}",
	},
	{
		kind: "either",
		asks: [
			"Which employees have expertise in {a} or {b}?",
			"Which employees have expertise in either {a} or {b}?",
		],
		fill: "?p pv:areaOfExpertise ?a, ?b . ?a pv:name ?aName . ?b pv:name ?bName . FILTER(?aName < ?bName)",
		truth: "VALUES ?c {{a} {b}} ?x pv:areaOfExpertise ?c",
	},
	{
		kind: "either",
		asks: ["Which suppliers are in {a} or {b}?", "How many suppliers are in {a} or in {b}?"],
		fill: "?s pv:addressCountry ?a . ?t pv:addressCountry ?b . FILTER(STR(?a) < STR(?b))",
		truth: "VALUES ?c {{a} {b}} ?x pv:addressCountry ?c",
	},
	{
		kind: "negation",
		asks: [
			"Which employees of {a} do not have expertise in {b}?",
			"Which employees in {a} are without expertise in {b}?",
		],
		fill: "?p pv:memberOf ?a ; pv:areaOfExpertise ?b . ?a pv:name ?aName . ?b pv:name ?bName .",
		truth: `${EMPLOYEE} ?x pv:memberOf {a} . FILTER NOT EXISTS {?x pv:areaOfExpertise {b}}`,
	},
	{
		kind: "negation",
		asks: [
			"Which employees have no {a}?",
			"How many employees are without a {a}?",
			"Which employees do not have a {a}?",
		],
		fill: 'VALUES (?a ?aName) {(pv:phone "phone") (pv:phone "phone number") (pv:addressText "address text") (pv:areaOfExpertise "area of expertise")}',
		truth: `${EMPLOYEE} FILTER NOT EXISTS {?x {a} ?any}`,
	},
	{
		kind: "negation",
		asks: ["How many suppliers are not in {a}?", "Which suppliers are not from {a}?"],
		fill: COUNTRY,
		truth: "?x a pv:Supplier . FILTER NOT EXISTS {?x pv:addressCountry {a}}",
	},
	{
		kind: "limit",
		asks: [
			"Which products in the category {a} weigh more than {b} g?",
			"Which products with the category {a} are heavier than {b} g?",
			"How many products in the category {a} have a weight over {b} g?",
		],
		fill: `${CATEGORY} VALUES ?b {11 15 18}`,
		truth: `${PRODUCT} ?x pv:hasCategory {a} ; pv:weight_g ?w . FILTER(?w > {b})`,
	},
	{
		kind: "limit",
		asks: ["Which products weigh at least {a} g?", "Which products have a weight of at least {a} g?"],
		fill: "VALUES ?a {18 19 20}",
		truth: "?x pv:weight_g ?w . FILTER(?w >= {a})",
	},
	{
		kind: "limit",
		asks: [
			"Which services cost less than {a} €?",
			"Which services have a price below {a} EUR?",
			"Which services are cheaper than {a} €?",
			"How many services cost at most {a} €?",
		],
		fill: "VALUES ?a {900 1100 1200 1500}",
		truth: "?x a pv:Service ; pv:price/pv:amount ?w . FILTER(?w < {a})",
	},
	{
		kind: "limit",
		asks: ["How many products are wider than {a} mm?", "Which products have a width of more than {a} mm?"],
		fill: "VALUES ?a {45 55}",
		truth: "?x pv:width_mm ?w . FILTER(?w > {a})",
	},
	{
		kind: "extreme",
		asks: ["What is the most expensive service?", "Which service is the most expensive?"],
		truth: extreme("?x a pv:Service .", "pv:price/pv:amount", "MAX"),
	},
	{
		kind: "extreme",
		asks: [
			"What is the cheapest product in the category {a}?",
			"Which {a} is the cheapest?",
			"What is the cheapest {a}?",
		],
		fill: CATEGORY,
		truth: extreme(`${PRODUCT} ?x pv:hasCategory {a} .`, "pv:price/pv:amount", "MIN"),
	},
	{
		kind: "extreme",
		asks: [
			"What is the heaviest product with the category {a}?",
			"Which product in the category {a} is the heaviest?",
		],
		fill: CATEGORY,
		truth: extreme(`${PRODUCT} ?x pv:hasCategory {a} .`, "pv:weight_g", "MAX"),
	},
	{
		kind: "extreme",
		asks: [
			"Which product of the supplier {a} is the most expensive?",
			"What is the most expensive product supplied by {a}?",
		],
		fill: "?h pv:hasSupplier ?a . ?a pv:name ?aName .",
		truth: extreme("?x pv:hasSupplier {a} .", "pv:price/pv:amount", "MAX"),
	},
	{
		kind: "extreme",
		asks: ["Which product in the category {a} has the highest reliability index?"],
		fill: CATEGORY,
		truth: extreme(`?x pv:hasCategory {a} .`, "pv:reliabilityIndex", "MAX"),
	},
	...[
		["pv:weight_g", "Which is heavier, {a} or {b}?", "Is {a} heavier than {b}?"],
		["pv:price/pv:amount", "Which is more expensive, {a} or {b}?", "Is {a} more expensive than {b}?"],
		["pv:width_mm", "Which is wider, the {a} or the {b}?", "Is the {a} wider than the {b}?"],
	].map(
		([property = "", ...asks]): Template => ({
			kind: "comparison",
			asks,
			fill: `{SELECT * WHERE {${HARDWARE} ${UNIQUE}} ORDER BY ?a LIMIT 40}
			{SELECT * WHERE {${`${HARDWARE} ${UNIQUE}`.replaceAll("?a", "?b")}} ORDER BY DESC(?b) LIMIT 40} {a}`.replace(
				"{a}",
				`?a ${property} ?v . ?b ${property} ?w . FILTER(?v != ?w)`,
			),
			truth: extreme("VALUES ?x {{a} {b}}", property, "MAX"),
		}),
	),
	{
		kind: "no answer",
		asks: [
			"How many warehouses are there?",
			"Which employees have a salary above 50000 €?",
			"Which suppliers are certified?",
			"Which products were recalled?",
			"Which employees speak French?",
			"Which products are made of copper?",
			"Which employees joined before 2020?",
			"Which departments are in Berlin?",
			"Which suppliers deliver on time?",
			"Which managers resigned?",
			"Which product is the best?",
			"Which employees have two managers?",
			"How many products per supplier are there?",
			"Which products have only one category?",
		],
	},
	{
		kind: "no answer",
		asks: ["Who founded {a}?", "Which products does {a} no longer supply?", "Which products did {a} recall?"],
		fill: "?h pv:hasSupplier ?a . ?a pv:name ?aName .",
	},
];
