import { readFileSync, existsSync } from "node:fs";
const dir="/work/shared/data/office/";
const rows=readFileSync(dir+"manifest.jsonl","utf8").trim().split("\n").map(l=>JSON.parse(l));
const rec:number[]=[];
const fold=(s:string)=>s.normalize("NFKC").replace(/\s+/g,"");
for (const r of rows) {
  if (!r.reference) continue;
  const name=r.file.slice(6); const out="/tmp/off/out/"+name+".txt";
  if (!existsSync(out)) { console.log(name,"NO OUT"); continue; }
  const ref=fold(readFileSync(dir+(r.reference.layout??r.reference.plain),"utf8")), got=fold(readFileSync(out,"utf8"));
  if(got==="") {console.log(name,"empty"); continue;}
  const count=(s:string)=>{const m=new Map<string,number>(); for(const c of s) m.set(c,(m.get(c)??0)+1); return m;};
  const a=count(ref), b=count(got); let hit=0,tot=0;
  for(const [c,n] of a){tot+=n; hit+=Math.min(n,b.get(c)??0);}
  // word order: share of reference 3-grams of words (plain) found in ours
  const words=(s:string)=>s.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu)??[];
  const plain=r.reference.plain?words(readFileSync(dir+r.reference.plain,"utf8")):[]; const ours=words(readFileSync(out,"utf8"));
  const grams=(w:string[])=>new Set(w.map((_,i)=>w.slice(i,i+3).join(" ")));
  const g=grams(plain), o=grams(ours); let gh=0; for(const x of g) if(o.has(x)) gh++;
  const R=hit/tot; if(name.endsWith(".pdf")) rec.push(R);
  console.log(name, "recall",R.toFixed(4), "3grams",(gh/Math.max(1,g.size)).toFixed(3), ref.length, got.length, r.tags.join(","));
}
rec.sort((x,y)=>x-y); console.log("PDF median", rec[rec.length>>1], "min", rec.slice(0,4));
