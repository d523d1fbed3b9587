import { STOP_WORDS } from "../words/stopWords.ts";
import { wordSet } from "../words/wordList.ts";

/** Function words in lower case. English words are from the Snowball project; others are the most frequent of each language. */
export const FUNCTION_WORDS = {
	en: STOP_WORDS,
	de: wordSet(`
		der die das den dem des ein eine einen einem einer eines und oder aber doch nicht kein keine keinen keiner ist sind war
		waren wird werden wurde wurden worden sein seine seinen seiner hat haben hatte hatten kann können konnte muss müssen
		soll sollte ich du er sie es wir ihr ihre ihrer ihren mich mir dich dir sich uns wer was wen wem wo wohin woher wann
		warum wie wieso welche welcher welches welchen viel viele vielen mehr als auch noch nur schon sehr so dass daß wenn weil
		da dann denn ob bei beim von vom zu zum zur mit nach vor aus auf an am in im ins für über unter durch gegen ohne um
		zwischen seit bis während diese dieser dieses diesen jede jeder jedes man hier dort wurde etwa zwar ab`),
	fr: wordSet(`
		le la les un une des du de au aux et ou mais donc ni car que qui quoi dont où quand comment pourquoi combien quel quelle
		quels quelles est sont était étaient être été a ont avait avaient avoir sera seront fait je tu il elle on nous vous ils
		elles me te se moi toi lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces cela ça ne
		pas plus moins très dans en sur sous avec sans pour par entre vers chez depuis pendant avant après contre si comme même
		aussi tout toute tous toutes autre autres y l d c s j n m t qu`),
	es: wordSet(`
		el la los las lo un una unos unas de del al a y e o u pero sino que qué quien quién quienes cual cuál cuáles cuando
		cuándo donde dónde como cómo cuanto cuánto cuántos cuántas por porque para con sin sobre entre hasta desde hacia durante
		contra en es son era eran fue fueron ser sido está están estaba estar ha han había haber hay tiene tienen tenía yo tú él
		ella ellos ellas nosotros usted ustedes me te se le les nos mi mis tu tus su sus este esta estos estas ese esa esos esas
		esto eso aquel no ni sí más menos muy ya también otro otra otros otras todo toda todos todas si cada`),
	it: wordSet(`
		il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai dalle in
		nel nello nella nei negli nelle su sul sulla sui sulle con per tra fra e ed o ma che chi cui quale quali quando dove
		come perché quanto quanti quante è sono era erano essere stato stata stati fu furono ha hanno aveva avevano avere io tu
		lui lei noi voi loro mi ti si ci vi ne suo sua suoi sue mio mia questo questa questi queste quello quella quelli non più
		meno molto anche già ancora se così cosa tutto tutti ogni l d c s un`),
	pt: wordSet(`
		o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para com sem sobre
		entre até desde durante contra e ou mas nem que quem qual quais quando onde como porque quanto quantos quantas é são era
		eram foi foram ser sido está estão estava estar há tem têm tinha ter eu tu ele ela nós vós eles elas você vocês me te se
		lhe lhes meu minha seu sua seus suas este esta estes estas esse essa isso isto aquele não sim mais menos muito já também
		outro outra outros todo toda todos todas cada`),
	nl: wordSet(`
		de het een en of maar niet geen is zijn was waren wordt worden werd werden heeft hebben had hadden kan kunnen kon moet
		moeten zal zullen zou zouden ik jij je hij zij ze wij we jullie hun haar hem mij me zich ons onze mijn uw u dit dat deze
		die wie wat waar wanneer waarom hoe hoeveel welke welk van voor met naar in op aan bij uit over onder channel tegen zonder
		om tot te ten ter als dan dus ook nog al wel meer veel zeer zo er daar hier om tussen sinds tijdens na`),
	pl: wordSet(`
		i w we z ze na do od o u a ale lub oraz że się nie tak jest są był była było były być został została zostały ma mają
		miał miała może można ja ty on ona ono my wy oni one mnie mi cię go jej jego ich im nam nas was ten ta to te ci tego tej
		tych tym temu który która które którzy których którego której kto co kiedy gdzie jak dlaczego ile jaki jaka jakie czy
		dla po przez przy pod nad przed za bez między jako bardzo już tylko także również ze więc bo gdy jeśli oraz`),
	ru: wordSet(`
		и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот от меня еще
		ещё нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя
		ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж
		тогда кто этот того потому этого какой какая какие какое каком какую совсем ним здесь этом один почти мой тем чтобы нее
		были куда зачем всех никогда можно при об другой хоть после над больше тот через эти нас про всего них много сколько
		разве эту моя свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между это которая который
		которые которых которой также является`),
	uk: wordSet(`
		і й та в у на з із зі до від за по про для що який яка яке які якого якої яких як коли де чому скільки хто чи не ні так
		це цей ця ці цього цієї той та те ті того він вона воно вони ми ви я ти його її їх їм нам вам мені собі свій своя свої
		є був була було були бути буде може можна але або якщо тому також ще вже лише тільки дуже більше через під над між при
		після перед без під час було`),
	cs: wordSet(`
		a i v ve na z ze do od o u k ke s se si je jsou byl byla bylo byli byly být bude jsem jste jsme ale nebo že aby když
		protože který která které kteří kterou kterých kterého kdo co kde kdy jak proč kolik jaký jaká jaké jako to ten ta ty
		tento tato toto tyto této tohoto ne není pro po při před mezi pod nad za bez podle také již jen více velmi jeho její
		jejich jej ho mu jí mi mě tak tedy však i než až`),
	sv: wordSet(`
		och att det den de en ett i på av för med till från om under över vid mellan efter före utan mot genom är var vara
		varit blev bli blir har hade ha kan kunde ska skulle måste jag du han hon vi ni mig dig sig oss er honom henne dem min
		mitt mina din ditt sin sitt sina hans hennes deras vår som vad vem vilka vilken vilket när hur varför många mycket inte
		ej men eller så då där här också bara än ut upp in denna detta dessa alla allt`),
	tr: wordSet(`
		ve veya ya da de ki ile için gibi kadar daha en çok az bir bu şu o bunu bunun buna bunlar onlar onun ona onu ben sen biz
		siz mi mı mu mü ne nerede nasıl neden niçin kim kimin hangi kaç ne zaman değil var yok olan olarak oldu olduğu olduğunu
		oldukları olur olmuştur edilen edildi etti eden ise ama fakat ancak çünkü eğer sonra önce göre karşı üzerinde arasında
		altında tarafından her hiç tüm bazı diğer kendi içinde`),
	vi: wordSet(`
		là và của có các những một được trong cho với không này đó để khi từ đến người ở ra vào về theo trên dưới như cũng đã
		đang sẽ bị bởi tại vì nếu nhưng hay hoặc thì mà rằng gì ai nào đâu sao bao nhiêu thế nó họ chúng tôi bạn ông bà anh chị
		em mình ta rất nhiều ít hơn nhất sau trước giữa cùng còn lại chỉ đều`),
	zh: wordSet(`
		的 了 是 在 和 与 與 或 有 为 為 这 這 那 之 也 都 就 而 及 等 被 把 对 對 从 從 到 以 于 於 中 上 下 他 她 它 我 你 们 們 什么 什麼 哪 哪里 哪些 哪个 谁
		誰 多少 几 幾 怎么 怎麼 如何 为什么 何时 吗 嗎 呢 吧 个 個`),
	ja: wordSet(`
		の は が を に で と も へ や か から まで より など て た だ です ます する した して いる いた ある あった なる れる られ ない この その あの これ それ
		という として について ため こと もの 何 誰 どこ いつ なぜ どう どの どれ いくつ`),
	ko: wordSet(
		"이 그 저 것 수 등 및 또는 그리고 하지만 무엇 누구 어디 언제 왜 어떻게 몇 얼마나 있는 있다 하는 한다 했다 된다 대한 위해 의해",
	),
	th: wordSet(
		"ที่ และ ใน ของ เป็น มี การ ได้ ไม่ ว่า จะ กับ ให้ จาก โดย นี้ นั้น คือ หรือ แต่ ก็ อะไร ใคร ไหน เมื่อไร อย่างไร ทำไม เท่าไร",
	),
	da: wordSet(`
		og i at det den de en et ei ein eit som er var har havde hadde haft hatt være vere været vært bliver blir blev ble blevet
		blitt kan kunne skal skulle vil ville må måtte får fik fikk jeg eg du han hun ho vi man mig meg dig deg ham henne hende
		oss jer dem dei seg min mitt mine din dit ditt dine sit sitt sine hans hennes hendes vår vårt våre vores deres der her
		hva hvad kva hvem kven hvor kvar når hvornår hvorfor hvordan korleis hvilken hvilket hvilke kva hvis mange meget mye mer
		mere mest på til af av for med om fra frå ved etter efter før under over mellom mellem mot mod uten uden gjennom gennem
		hos ikke ikkje men eller da så også bare kun enn ut opp inn ned denne dette disse alle alt noe noget noen nogen nogle
		ingen hver andre annen anden annet andet blandt blant siden mens fordi`),
	fi: wordSet(`
		ja on ei oli olivat ovat ole olla ollut olleet se ne sen sitä siitä siinä siihen niiden niitä niistä tämä tämän tätä
		tässä nämä näiden tuo että joka jotka jonka joiden jota joita jossa joissa josta joista johon mikä mitä minkä missä mistä
		mihin millainen milloin miksi miten kuka kenen ketkä kuinka moni monta kun jos kuin sekä tai mutta vaan eli myös vain jo
		vielä niin hän hänen hänet hänelle he heidän minä minun sinä me meidän te mukaan kanssa jälkeen ennen aikana välillä
		vuoksi alla kautta ilman noin hyvin enemmän eniten muun muiden muut koska joten voi voidaan voivat saa`),
	hu: wordSet(`
		a az és s hogy nem is egy ez azt ezt ezek azok ennek annak ebben abban erre arra ettől attól ki mi mit mely melyik melyek
		milyen hol hová honnan mikor miért hogyan hány mennyi kik kinek kit aki akik amely amelyek amelyet amelynek ami amit
		ahol amikor ahogy mint de vagy ha volt voltak van vannak lesz lett lehet kell meg el fel be csak már még pedig így úgy
		után előtt alatt között által szerint során miatt nélkül ellen mellett óta felé nagyon több legtöbb sem én te ő mi ti ők
		neki őt maga saját minden más illetve valamint mivel amíg`),
	ro: wordSet(`
		și şi în din de la cu pe pentru că ca să se nu este sunt era erau fi fost fiind a ai al ale au am are aveau avea o un una
		unui unei unor lui ei lor le îi își îşi sa săi sale care ce cine cui cum când unde cât câtă câți câte căruia
		cărei căror prin după între către despre fără sub peste până spre dar iar sau ori dacă deoarece atunci mai cel cea cei
		cele celor acest această acestui acestei acești aceste acestea acestora acesta aceasta acel acea acele acelei aceea el
		ea ele eu tu noi voi mult multe mulți foarte tot toate toți toată decât fie nici doar doi alte alt altă alți atât astfel
		asupra dintre printre`),
	el: wordSet(`
		ο η το οι τα του της των τον την τους τις ένα ένας μία μια ενός μιας και ή αλλά όμως ούτε να θα δεν δε μη μην με σε στο
		στη στην στον στους στις στα από για ως προς κατά μετά πριν μεταξύ χωρίς υπό επί παρά αντί μέσω που πού ότι πως πώς όταν
		πότε γιατί διότι επειδή αν εάν ποιος ποια ποιο ποιοι ποιες ποιον ποιους ποιας ποιου τι πόσο πόσοι πόσες πόσα πόσους πόση
		είναι ήταν είχε είχαν έχει έχουν υπάρχει υπήρχε τη αυτό αυτή αυτός αυτοί αυτές αυτά αυτού αυτής αυτών αυτόν αυτήν αυτούς
		εκείνο εκείνη εκείνος όπως όσο οποία οποίο οποίος οποίοι οποίες οποίων οποίου οποίας όλα όλοι όλες πολύ πιο πολλά
		πολλές πολλοί επίσης καθώς ενώ εγώ εσύ εμείς μας σας μου σου κάθε άλλα άλλες άλλο άλλη άλλοι`),
	ar: wordSet(`
		في من على إلى الى عن مع أن ان إن أنه أنها بأن لأن التي الذي الذين اللذين هذا هذه ذلك تلك هؤلاء كان كانت كانوا يكون تكون هو هي هم
		هما هن أنا أنت نحن ما ماذا متى أين كيف لماذا كم أي أية هل لا لم لن ليس ليست قد لقد كما كل بعض غير بعد قبل بين عند عندما حيث حتى
		منذ خلال حول ضد دون أو او أم ثم لكن ولكن إذا اذا لو بل سوف به بها له لها لهم فيه فيها منه منها عليه عليها إليه وهو وهي وكان
		وكانت وفي ومن وقد ولم ولا والتي والذي أكثر أيضا أيضًا فقط جدا كانا إلا الا تم وتم`),
	hi: wordSet(`
		का की के को में से पर ने है हैं था थी थे हो होता होती होते हुआ हुई हुए और या एक यह वह ये वे इस उस इन उन इसके उसके इसकी उसकी इसका
		उसका इसे उसे इन्हें उन्हें उनके उनकी उनका उन्होंने इसमें इसने उसने किस किसने किसे किसका किसकी किसके कौन क्या कब कहाँ कहां क्यों कैसे कितने कितना
		कितनी कौनसा कौनसी जो जिस जिसे जिसके जिसकी जिसमें जिन जिन्हें कि तो भी ही नहीं न तक साथ लिए द्वारा बाद पहले बीच किया किए गया गई गए
		जाता जाती जाते रहा रही रहे कर करने करता करते करना सकता सकते सकती अपने अपनी अपना कुछ सभी बहुत अधिक कम लेकिन मगर अगर यदि जब तब
		जैसे ऐसे वाले वाली वाला मैं हम तुम आप मेरा हमारे तथा एवं रूप`),
};

export type Language = keyof typeof FUNCTION_WORDS;

/** BCP 47 codes of the languages with their own rules. Norwegian shares the Danish rules. */
export const LANGUAGES = Object.keys(FUNCTION_WORDS) as readonly Language[];

export const OTHER_SCRIPTS = new Set<Language>(["ru", "uk", "zh", "ja", "ko", "th", "el", "ar", "hi"]);
