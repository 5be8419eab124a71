/** Runs every benchmark of this folder, or those named as arguments, and prints one JSON object per measured thing. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** One measured thing beside what it is measured against, in the same run. */
export interface BenchLine {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  /** value over baseline */
  readonly ratio?: number;
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const names = readdirSync(__dirname)
    .filter((file) => /\.ts$/.test(file) && file !== 'run.ts' && !file.startsWith('wireLoad'))
    .map((file) => path.basename(file, '.ts'))
    .filter((name) => wanted.length === 0 || wanted.includes(name));
  for (const name of names) {
    const bench = (await import(`./${name}.ts`)) as { run(): Promise<readonly BenchLine[]> };
    for (const line of await bench.run()) {
      console.log(JSON.stringify(line));
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
