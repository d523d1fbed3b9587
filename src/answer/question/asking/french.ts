import { type Asking, termBefore, YEAR } from "./asking.ts";

const DAYS =
	"janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche";
const NUMBERS =
	"une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante|soixante|cent|mille|millions?|milliards?|moitié|tiers|quart|douzaine|plusieurs";

/** A possible name: two capitalized words, or one within a sentence. */
const NAME =
	/(?<=[\p{Ll},;:)\d|*•-] (?:[dl]['’])?)\p{Lu}[\p{L}'’-]+|\p{Lu}[\p{L}'’-]+ (?:de |du |d['’])?\p{Lu}[\p{L}'’-]+/u;

export const FRENCH: Asking = {
	kinds: [
		{
			asked:
				/\bquand\b|\bquel(?:le)?s? (?:est la date|année|date|jour|mois|siècle|décennie|époque|heure|moment)/i,
			found: new RegExp(
				`${YEAR}|(?<!\\p{L})(?:${DAYS}|minuit|midi)(?!\\p{L})|siècle|\\b\\d+(?:er|e|ème)\\b|\\b\\d{1,2} ?[h:] ?(?:\\d\\d)?\\b`,
				"iu",
			),
			properties: "date day year time start jour année heure début",
			inHeading: true,
		},
		{
			asked:
				/\bcombien\b|\bquel(?:le)?s? (?:est (?:le|la|son|sa) |est l['’])?(?:nombre|pourcentage|quantité|taille|proportion|hauteur|altitude|longueur|largeur|profondeur|distance|âge|poids|vitesse|température|puissance|portée)/iu,
			found: new RegExp(`\\d|(?<!\\p{L})(?:${NUMBERS})(?!\\p{L})`, "iu"),
			properties: "number count nombre",
		},
		{
			asked: /\bpourquoi\b|\bquel(?:le)?s? (?:est la |est l['’])?(?:raison|cause)/i,
			found:
				/(?<!\p{L})(?:parce qu|car|puisqu|afin|pour|raison|donc|cause|grâce|en effet|conséquen|dû|due)/iu,
			properties: "reason cause raison",
			isWhy: true,
		},
		{
			asked: /\bqui\b|\bquel(?:le)? (?:personne|homme|femme)/i,
			found: NAME,
			properties: "",
		},
		{
			asked:
				/(?<!\p{L})où(?!\p{L})|\b(?:quel(?:le)?s?) (?:ville|pays|lieu|endroit|région|île|continent|fleuve|état)/iu,
			found: NAME,
			properties: "place location address contained lieu adresse",
			isOptional: true,
		},
	],
	definition:
		/^(?:qu['’]est-ce qu(?:e|['’]un)|c['’]est quoi|qui (?:est|sont|était)|que signifie) ?(?!.*\b(?:de|du|des|pour|dans|sur|à|avec|par|entre)\b)/i,
	isA: termBefore("est|sont|désigne|signifie"),
	overview:
		/^(?:de quoi (?:parle|traite|s['’]agit)|qu['’]y a-t-il|que contient|aperçu)(?:[ -](?:il|t|ce|cette|ici|dans|dossier|projet|base|de|connaissances|le|la))*\s*[?.!]*$/iu,
	steps: /\bcomment\b/i,
	focus:
		/\b(?:combien d(?:e |['’])|qu(?:el(?:le)?s?|i) (?:est|sont|était|étaient) (?:le |la |les |l['’]))(?<focus>\p{L}[\p{L}'’-]+(?: \p{L}+)?) (?:de|du|des|d['’]|pour)/iu,
	days: DAYS,
	now: /(?<!\p{L})(?:maintenant|actuel(?:le)?(?:ment)?|en ce moment|aujourd['’]hui|derni[eè]re?)(?!\p{L})/iu,
	idle: "signifie signifient combien montre donne dis appelle appelé appelée nommé selon exactement quel quelle quels quelles",
	second:
		/,? et (?=(?:depuis |jusqu['’]|de |à |en |par |pour |dans )?(?:comment|combien|quand|où|qui|pourquoi|que|quoi|quel(?:le)?s?)(?!\p{L}))/iu,
	counted: /\b(des|de ces) (?:deux|trois|quatre|cinq)\b/gi,
	measure: /\bquel(?:le)? (âge|taille|hauteur|longueur|distance)(?!\p{L})/giu,
	extent: /\b(combien) de (?:temps|fois)\b/gi,
	relations: {
		"père mère": "parent",
		"fils fille": "child children enfant",
		"mari femme épouse époux": "spouse conjoint",
		"frère sœur": "sibling",
		"dirige directeur directrice chef": "head director manager directeur",
		"écrit écrivit": "author creator auteur",
		"construit fabrique fabriqué": "manufacturer maker builder creator fabricant constructeur",
		"conçu dessiné": "designer architect creator architecte",
		appartient: "owner propriétaire",
		"né née": "birth naissance",
		"mort morte": "death décès",
		"haut haute hauteur": "height elevation hauteur altitude",
		loin: "range distance portée",
		"pèse lourd": "weight mass poids",
		"profond profonde": "depth draught profondeur",
		"vite rapide": "speed vitesse",
	},
};
