import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "../../src/base/language/detect.ts";
import { LANGUAGES } from "../../src/base/language/languages.ts";

const SENTENCES: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
	en: "Who lights the lamp when the keeper is ill?",
	de: "Wer zündet die Lampe an, wenn der Wärter krank ist?",
	fr: "Qui allume la lampe quand le gardien est malade ?",
	es: "¿Quién enciende la lámpara cuando el farero está enfermo?",
	it: "Chi accende la lampada quando il guardiano è malato?",
	pt: "Quem acende a lâmpada quando o faroleiro está doente?",
	nl: "Wie steekt de lamp aan als de wachter ziek is?",
	pl: "Kto zapala lampę, gdy latarnik jest chory?",
	ru: "Кто зажигает лампу, когда смотритель болен?",
	uk: "Хто запалює лампу, коли доглядач хворіє?",
	cs: "Kdo rozsvítí lampu, když je strážce nemocný?",
	sv: "Vem tänder lampan när fyrvaktaren är sjuk?",
	tr: "Bekçi hasta olduğu zaman lambayı kim yakar?",
	vi: "Ai thắp đèn khi người gác bị ốm?",
	zh: "看守人生病时谁点灯？",
	ja: "灯台守が病気のとき、誰がランプを灯しますか？",
	ko: "등대지기가 아플 때 누가 등을 켜나요?",
	th: "ใครจุดตะเกียงเมื่อคนเฝ้าป่วย",
	da: "Hvem tænder lampen, når fyrvogteren er syg?",
	fi: "Kuka sytyttää lampun, kun majakanvartija on sairas?",
	hu: "Ki gyújtja meg a lámpát, ha az őr beteg?",
	ro: "Cine aprinde lampa când paznicul este bolnav?",
	el: "Ποιος ανάβει τη λάμπα όταν ο φύλακας είναι άρρωστος;",
	ar: "من يشعل المصباح عندما يمرض الحارس؟",
	hi: "रखवाला बीमार हो तो दीपक कौन जलाता है?",
};

for (const language of LANGUAGES) {
	test(`"${SENTENCES[language]}" is ${language}`, () => {
		assert.equal(languageOf(SENTENCES[language]), language);
	});
}

const unsure = ["", "Panthers 308", "def gauss(x, mu, sigma)", "die cast", "Škoda", "α + β = γ", "עברית"];

for (const text of unsure) {
	test(`nobody can be sure of "${text}"`, () => assert.equal(languageOf(text), undefined));
}

test("Norwegian is read with Danish", () => {
	assert.equal(languageOf("Hvem tenner lampen når fyrvokteren er syk?"), "da");
});

test("a run of letters without spaces counts as its words", () => {
	assert.equal(languageOf("ทีมกีฬามืออาชีพประกอบด้วยทีมจาก Los Angeles Rams และ Los Angeles Kings"), "th");
});

test("a name of another language does not turn a sentence", () => {
	assert.equal(languageOf("The works of Antonín Dvořák and of Émile Zola are in the library."), "en");
	assert.equal(languageOf("The word 灯塔 is the one for a lighthouse in Chinese."), "en");
});
