/**
 * Runs the benchmarks of this folder, or those named as arguments, and prints one JSON object per measurement. With `--against COMMIT` each
 * named benchmark is also run there, alternately (`--pairs`, 5), and the output compares the two: see against.ts.
 */
import { parseArgs } from 'node:util';

/** A measurement with its baseline from the same run. */
export interface BenchLine {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  /** The ratio of value to baseline. */
  readonly ratio?: number;
  /** The maximum of `ratio`. */
  readonly limit?: number;
}

/** All benchmarks of this folder. Each is loaded only when it runs, so that it does not pay for the modules of others. */
const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<readonly BenchLine[]> }>>> = {
  wire: () => import('./wire'),
  terminal: () => import('./terminal'),
  children: () => import('./children'),
  restore: () => import('./restore'),
  long: () => import('./long'),
  window: () => import('./window'),
  open: () => import('./open'),
  switch: () => import('./switch'),
  idle: () => import('./idle'),
  stream: () => import('./stream'),
  search: () => import('./search'),
  sessions: () => import('./sessions'),
  changes: () => import('./changes'),
  mentions: () => import('./mentions'),
  memory: () => import('./memory'),
  permissions: () => import('./permissions'),
  'editor-tools': () => import('./editorTools'),
  keeper: () => import('./keeper'),
};

async function main(): Promise<void> {
  const { values, positionals: wanted } = parseArgs({
    allowPositionals: true,
    options: { against: { type: 'string' }, pairs: { type: 'string', default: '5' } },
  });
  const unknown = wanted.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) {
    throw new Error(`No benchmark is named ${unknown.join(', ')}. There are ${Object.keys(BENCHES).join(', ')}.`);
  }
  if (values.against !== undefined) {
    const { runAgainst } = await import('./against');
    for (const line of await runAgainst(values.against, wanted.length > 0 ? wanted : Object.keys(BENCHES), Number(values.pairs))) {
      console.log(JSON.stringify(line));
    }
    return;
  }
  for (const [name, load] of Object.entries(BENCHES)) {
    if (wanted.length === 0 || wanted.includes(name)) {
      const { run } = await load();
      for (const line of await run()) {
        console.log(JSON.stringify(line));
      }
    }
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
