import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { parseDocument } from "/work/wt/office/src/knowledge/parseDocument.ts";
const dir="/work/shared/data/office/files/";
const want=process.argv.slice(2);
let pages=0, cpu=0;
for (const f of readdirSync(dir)) {
  if (want.length && !want.some(w=>f.includes(w))) continue;
  const bytes=new Uint8Array(readFileSync(dir+f));
  const c0=process.cpuUsage(); const t0=performance.now();
  const out:any=await parseDocument("file:///w/"+f, bytes);
  const c=process.cpuUsage(c0); const ms=(c.user+c.system)/1000;
  if (f.endsWith(".pdf") && out.document?.extracted) { pages+=out.document.extracted.parts.length; cpu+=ms; }
  if (out.skipped) { console.log(f,"SKIPPED",out.skipped,ms.toFixed(0)); continue; }
  const d=out.document;
  writeFileSync("/tmp/off/out/"+f+".txt", d.extracted?.text ?? "");
  writeFileSync("/tmp/off/out/"+f+".json", JSON.stringify({...d, extracted:{parts:d.extracted?.parts}},null,1));
  console.log(f, out.format, JSON.stringify(d.title), "parts",d.extracted?.parts.length,"psg", d.passages.length,"q",d.quads.length, "cpu",ms.toFixed(0), "MB/s", (bytes.length/1e3/ms).toFixed(2), d.problems.map((p:any)=>p.message).slice(0,2));
}
if(pages) console.log("PDF", pages, "pages", cpu.toFixed(0),"cpu ms", (pages/cpu*1000).toFixed(0),"pages/s");
