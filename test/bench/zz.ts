import { Connection as New } from '/work/main/src/acp/connection';
import { Trace as NewTrace } from '/work/main/src/acp/trace';
import { Connection as Old } from '/tmp/old/src/acp/connection';
import { Trace as OldTrace } from '/tmp/old/src/acp/trace';
import { wireLoad } from '/work/main/test/bench/wireLoad';
const load: any = (wireLoad as any)();
const text = typeof load === 'string' ? load : Array.isArray(load) ? load.join('\n') + '\n' : String(load);
const bytes = Buffer.from(text);
console.log(bytes.length, text.slice(0, 200));
const clock = { now: () => Date.now(), after: () => ({ dispose() {} }) };
function run(C: any, T: any): number {
  let data: any; let n = 0;
  const transport = { send: () => true, onData: (l: any) => (data = l), onEnd: () => {}, dispose: () => {} };
  new C(transport, { onRequest() {}, onNotification() { n++; }, onEnd() {} }, { clock, trace: new T(clock) });
  const start = process.cpuUsage();
  for (let at = 0; at < bytes.length; at += 65536) data(bytes.subarray(at, at + 65536));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
function bare(): number { const start = process.cpuUsage(); let s = 0; for (const line of text.split('\n')) if (line) { JSON.parse(line); s++; } const { user, system } = process.cpuUsage(start); return (user + system) / 1000; }
const olds: number[] = [], news: number[] = [], bares: number[] = [];
for (let i = 0; i < 31; i++) { if (i % 2) { olds.push(run(Old, OldTrace)); news.push(run(New, NewTrace)); } else { news.push(run(New, NewTrace)); olds.push(run(Old, OldTrace)); } bares.push(bare()); }
const med = (a: number[]) => [...a].sort((x, y) => x - y)[a.length >> 1]!.toFixed(0); const min = (a: number[]) => Math.min(...a).toFixed(0);
console.log('old', med(olds), min(olds), 'new', med(news), min(news), 'bare', med(bares), min(bares));
