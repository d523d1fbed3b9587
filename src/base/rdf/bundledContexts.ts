import { wordList } from "../words/wordList.ts";

const MAX_ADDRESS = 200;

/** A relative address `//…` gets the scheme of its document, which may be `file:`. */
const ADDRESS = /^(\w+:)\/\/(?:www\.)?(.*)$/;

type Context = Readonly<Record<string, unknown>>;

/** Context for a common address, written for this project: the address is never requested. */
export function bundledContext(url: string): { readonly "@context": Context } | undefined {
	const [, scheme, address] = ADDRESS.exec(url.slice(0, MAX_ADDRESS)) ?? [];
	const path = address?.toLowerCase().replace(/[/#]+$/, "") ?? "";
	const known = contexts.find((context) => context.address.test(path));
	return known && { "@context": known.create(scheme?.toLowerCase() === "http:" ? "http:" : "https:") };
}

/** Addresses without scheme, `www.` and trailing slash. */
const contexts: readonly { readonly address: RegExp; readonly create: (scheme: string) => Context }[] = [
	{ address: /^schema\.org(\/docs\/jsonldcontext\.json(ld)?|\/version\/latest\/.*)?$/, create: schemaOrg },
	{ address: /^w3\.org\/ns\/activitystreams(\.jsonld)?$/, create: activityStreams },
	{ address: /^w3id\.org\/ro\/crate\/1\.[0-9.]+(-draft)?\/context$/, create: roCrate },
	{
		address: /^(doi\.org\/10\.5063\/schema\/codemeta-2\.0|w3id\.org\/codemeta(\/[0-9.]+)?)$/,
		create: codeMeta,
	},
];

/** Properties of schema.org whose values are links. Omits properties whose values are mostly text. */
const LINKS = `acquireLicensePage actionableFeedbackPolicy additionalType applicationSuite archivedAt codeRepository
contentUrl correctionsPolicy discussionUrl diversityPolicy diversityStaffingReport documentation downloadUrl embedUrl
ethicsPolicy feesAndCommissionsSpecification hasMap hasMenu image inDefinedTermSet installUrl isBasedOn isBasedOnUrl
isPartOf hasPart license logo mainEntityOfPage map maps masthead menu merchantReturnLink missionCoveragePrioritiesPolicy
newsUpdatesAndGuidelines noBylinesPolicy ownershipFundingInfo paymentUrl photo prepTimeUrl publishingPrinciples
relatedLink replyToUrl sameAs schoolClosuresInfo screenshot sdLicense serviceUrl shippingSettingsLink significantLink
significantLinks targetUrl termsOfService thumbnail thumbnailUrl trackingUrl unnamedSourcesPolicy url usageInfo
verificationFactCheckingPolicy webFeed`;

/** Properties of schema.org whose values are members of an enumeration, by name or by IRI. */
const ENUMERATED = `actionStatus availability availableDeliveryMethod bookFormat boardingPolicy businessFunction
certificationStatus contactOption dayOfWeek deliveryMethod drivetrain eventAttendanceMode eventStatus fulfillmentType
interactionType itemCondition itemListOrder musicReleaseFormat orderItemStatus orderStatus paymentMethod paymentStatus
permissionType refundType reservationStatus returnFees returnMethod returnPolicyCategory suitableForDiet`;

/** The address decides between `http:` and `https:`, so that all syntaxes in a page produce the same IRIs. */
function schemaOrg(scheme: string): Context {
	return {
		id: "@id",
		type: "@type",
		schema: `${scheme}//schema.org/`,
		"@vocab": `${scheme}//schema.org/`,
		...coerce(LINKS, "@id"),
		...coerce(ENUMERATED, "@vocab"),
	};
}

function activityStreams(): Context {
	const links = `actor attributedTo audience bcc bto cc context current endpoints first followers following generator
inReplyTo inbox last liked likes next object origin outbox partOf prev publicKey replies result shares subject tag
target to url href image icon preview location attachment instrument relationship describes formerType`;
	return {
		id: "@id",
		type: "@type",
		as: "https://www.w3.org/ns/activitystreams#",
		ldp: "http://www.w3.org/ns/ldp#",
		sec: "https://w3id.org/security#",
		xsd: "http://www.w3.org/2001/XMLSchema#",
		"@vocab": "https://www.w3.org/ns/activitystreams#",
		...coerce(links, "@id"),
		inbox: { "@id": "ldp:inbox", "@type": "@id" },
		publicKey: { "@id": "sec:publicKey", "@type": "@id" },
		publicKeyPem: "sec:publicKeyPem",
		items: { "@id": "as:items", "@type": "@id" },
		orderedItems: { "@id": "as:items", "@type": "@id", "@container": "@list" },
		nameMap: { "@id": "as:name", "@container": "@language" },
		summaryMap: { "@id": "as:summary", "@container": "@language" },
		contentMap: { "@id": "as:content", "@container": "@language" },
		...coerce("published updated startTime endTime deleted", "xsd:dateTime"),
	};
}

function roCrate(): Context {
	return {
		...schemaOrg("http:"),
		bioschemas: "https://bioschemas.org/",
		dct: "http://purl.org/dc/terms/",
		pcdm: "http://pcdm.org/models#",
		File: "schema:MediaObject",
		Journal: "schema:Periodical",
		path: "schema:contentUrl",
		conformsTo: { "@id": "dct:conformsTo", "@type": "@id" },
		hasFile: { "@id": "pcdm:hasFile", "@type": "@id" },
		hasMember: { "@id": "pcdm:hasMember", "@type": "@id" },
		RepositoryCollection: "pcdm:Collection",
		RepositoryObject: "pcdm:Object",
	};
}

function codeMeta(): Context {
	const own = `buildInstructions contIntegration continuousIntegration developmentStatus embargoDate embargoEndDate
funding hasSourceCode isSourceCodeOf issueTracker readme referencePublication softwareSuggestions`;
	return {
		...schemaOrg("http:"),
		codemeta: "https://codemeta.github.io/terms/",
		...Object.fromEntries(wordList(own).map((term) => [term, `codemeta:${term}`])),
		...Object.fromEntries(
			wordList(
				"contIntegration continuousIntegration issueTracker readme buildInstructions referencePublication",
			).map((term) => [term, { "@id": `codemeta:${term}`, "@type": "@id" }]),
		),
	};
}

function coerce(terms: string, type: string): Context {
	return Object.fromEntries(wordList(terms).map((term) => [term, { "@type": type }]));
}
