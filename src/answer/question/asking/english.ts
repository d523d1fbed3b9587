import { AMOUNT, type Asking, measured, moneyOr, PHONE, termBefore, VERSION, YEAR } from "./asking.ts";

const DAYS =
	"january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const NUMBERS =
	"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half|(?<=\\b(?:an?|one|two) )thirds?|quarter|twice|several|percent";
const AUXILIARIES =
	"is|are|was|were|do|does|did|has|have|had|will|would|can|could|shall|should|must|may|might";

const DATE = `${YEAR}|\\b(?:${DAYS})s?\\b|\\b(?:bc|ad|midnight|noon)\\b|\\bcentur|\\b\\d+(?:st|nd|rd|th)\\b|\\b\\d{1,2}[:.]\\d\\d\\b|\\b\\d{1,2} ?[ap]\\.?m\\b|\\b(?:after|before|within) (?:\\d+|${NUMBERS}|an?) (?:hour|day|week|month|year)s?\\b`;

const DURATION = measured(
	"long|length|duration|lasts?|(?:second|minute|hour|day|week|month|year|character|word)s?",
	`${NUMBERS}|an?|few|several|many`,
	"length",
	"time",
);

/** A possible name: two capitalized words, or one within a sentence. */
const NAME =
	/(?<=[\p{Ll},;:)\d|*•-] )\p{Lu}[\p{L}'’-]+|(?!(?:The|An?|This|Th[eo]se|That|It|If|In|On|For|When|Each|Every|All|No|We|You|Our|Your) )\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+/u;

export const ENGLISH: Asking = {
	kinds: [
		{
			asked: /\bwhen (?:do|does|must|should|shall|can|may)\b/i,
			found: new RegExp(`${DATE}|\\b(?:if|once|as soon as|whenever|after|before|until|unless)\\b`, "i"),
			properties: "date day year time start",
			inHeading: true,
		},
		{
			asked: new RegExp(
				`\\bwhen (?:${AUXILIARIES})\\b|\\b(?:since|until) when\\b|\\bwhen\\s*\\?|\\b(?:what|which) (?:year|date|day|month|century|decade|time)\\b`,
				"i",
			),
			found: new RegExp(DATE, "i"),
			properties: "date day year time start",
			inHeading: true,
		},
		{
			asked:
				/^(?!.*\bhow (?:many|long|often|old)\b).*(?:\bwhat (?:do|does|did|would|will) .*\b(?:costs?|pays?|(?:sell|go) for)\b|\bhow much (?:do|does|did|would|will) .*\b(?:costs?|pay|charge)\b|\bwhat (?:is|are|was|were) the (?:price|cost|fee|rent|fare)s?\b|\bhow much money\b|\b(?:gets?|got|is|are|was|were|be) paid\b|\bearns?\b)/i,
			found: moneyOr(
				"(?:price|cost|fee|rent|fare|charge|deposit|amount|wage)s?|salar(?:y|ies)",
				"free|gratis|no charge",
			),
			properties: "price cost amount",
		},
		{
			asked: /\b(?:phone|mobile) number\b|\bwhat number\b.*\b(?:call|ring|dial|phone)\b/i,
			found: PHONE,
			properties: "phone telephone mobile",
		},
		{
			// "What changed in version 2.0?" does not ask for a version.
			asked:
				/\b(?:which|what)(?: (?:is|was) the)?(?: (?!(?:of|in|for|from|since|with|to|by|does|do|did)\b)\p{L}+){0,2} versions?\b/iu,
			found: VERSION,
			properties: "version requires",
		},
		{
			asked: /\bhow often\b/i,
			found:
				/\b(?:hour|dai|week|fortnight|month|quarter|year|annual|night)ly\b|\b(?:daily|every|each|once|twice|thrice|never|always|times?)\b|\b(?:per|an?) (?:second|minute|hour|day|week|fortnight|month|quarter|year)s?\b|\d ?[x×]/i,
			properties: "frequency interval",
		},
		{
			asked: /\b(?:what|which)(?: \p{L}+){0,2} temperature\b|\bhow (?:hot|cold|warm)\b/iu,
			found: measured("temperature|heat", NUMBERS, "temperature", "angle"),
			properties: "temperature",
		},
		{
			asked: /\bhow heavy\b/i,
			found: measured("heavy|weigh", NUMBERS, "mass"),
			properties: "number weight mass",
		},
		{
			asked: /\bhow (?:deep|tall|high|wide|far)\b/i,
			found: measured("deep|depth|tall|height|high|wide|width|far|distance", NUMBERS, "length", "time"),
			properties: "number",
		},
		{
			asked: /\bhow long\b/i,
			found: new RegExp(
				`${DURATION.source}|\\b(?:lifetime|indefinite(?:ly)?|unlimited|permanent(?:ly)?|forever|overnight)\\b`,
				"iu",
			),
			properties: "number duration length",
		},
		{
			asked:
				/\bhow (?:many|much|old|big|large|fast|tight)\b|\b(?:what|which) (?:number|percentage|percent|amount|size|fraction|proportion)\b|\b(?:what|which)(?: \p{L}+){0,2} (?:height|length|width|depth|distance|elevation|age|weight|speed|temperature|power|range)\b/iu,
			found: new RegExp(
				`${AMOUNT}|\\b(?:${NUMBERS}|\\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|lifetime|indefinite(?:ly)?|unlimited|forever)\\b`,
				"iu",
			),
			properties: "number count",
		},
		{
			asked: /\bwhy\b|\b(?:what|which) (?:(?:is|was) the )?(?:reason|cause)\b/i,
			found:
				/\b(?:because|since|due to|so that|in order to|reason|therefore|thus|caused?|as a result|led to)\b/i,
			properties: "reason cause",
			isWhy: true,
		},
		{
			asked: /\bwho(?:m|se)?\b|\b(?:what|which) (?:person|man|woman)\b/i,
			found: NAME,
			properties: "",
		},
		{
			asked:
				/\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|region|island|isle|continent|river|nation|venue)\b/i,
			found: NAME,
			properties: "place location address contained",
			isOptional: true,
		},
	],
	definition:
		/^(?:what|who)(?:['’]s| is| are| was| were) (?!.*\b(?:of|for|in|on|at|to|from|with|by|about|between)\b)|^what (?:does|do) .* (?:mean|stand for)\b/i,
	isA: termBefore("is|are|means?|refers?|stands?|describes?|denotes?|represents?"),
	overview:
		/^(?:(?:what(?:['’]s| is| are| does)|give me|show me) (?:(?:this|these|the|it|all|here|in|an?) ?)+(?:(?:knowledge base|folder|workspace|project|repo(?:sitory)?|vault|documents?|notes|files|collection|data|overview|summary) ?)?(?:about|contains?|for|of|here|all about)?|overview|summary)\s*[?.!]*$/i,
	steps: /\bhow (?:do|does|did|can|could|should|to|would)\b(?! (?:many|much|long|often))/i,
	focus: new RegExp(
		`\\b(?:which|what|how many|(?:what|who)(?:['’]s| is| are| was| were) the) (?!${AUXILIARIES}|(?:kind|sort|type)s?\\b)(?<focus>(?:\\p{L}[\\p{L}'’-]* ){0,2}?\\p{L}[\\p{L}'’-]+) (?:${AUXILIARIES}|of|for)\\b|^what (?:do|does|did|would|will) (?:the |an? |our )?(?<item>\\p{L}[\\p{L}'’-]+).* costs?\\b|^(?:when|where)(?:['’]s| is| are| was| were) .*\\p{L}(?:['’]s|s['’]) (?<own>\\p{L}[\\p{L}'’ -]*)\\s*\\?*$`,
		"iu",
	),
	days: DAYS,
	now: /\b(?:now(?:adays)?|current(?:ly)?|at the moment|these days|today|latest|newest|most recent)\b/i,
	idle: "ask want stand stands happens happen defined declared implemented mean means meaning many much tell show give please called exactly according must shall will can may might since",
	second:
		/,? and (?=(?:since |until |by |in |at |on |for |from )?(?:how|when|where|who|whom|whose|why|what|which)\b)/i,
	counted: /\b(of (?:the|these|those)) (?:two|three|four|five)\b/gi,
	measure:
		/\bhow (long|often|far|tall|high|deep|old|big|large|heavy|fast|wide|much|many|soon|late|early)\b/gi,
	extent: /\b(how) (?:long|often)\b/gi,
	relations: {
		"father mother dad mum mom": "parent",
		"son daughter kid": "child children",
		"husband wife married": "spouse",
		"brother sister": "sibling",
		"head heads boss leads leader runs": "head director manager chief leader",
		"wrote written writer": "author creator",
		"made makes maker builds built builder produces producer": "manufacturer maker builder creator producer",
		"designs drew": "designer architect creator",
		"owns belongs": "owner",
		"born old": "birth",
		"died dead": "death",
		"works job": "employer works job occupation",
		"lives stands located": "contained location address place residence",
		"high higher highest tall taller tallest": "height elevation",
		"far farther farthest": "range distance",
		"heard hear": "audible",
		"heavy weighs": "weight mass",
		"big large": "size area",
		"deep deeper": "depth draught",
		"fast faster": "speed",
	},
};
