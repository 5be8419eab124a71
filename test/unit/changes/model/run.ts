/**
 * Plays sequences in several processes, and prints the failures. --whole: failing sequences are not shortened.
 *
 * npx tsx test/unit/changes/model/run.ts --sequences 30000 --seed 1 --jobs 2 [--kind plain] [--most 20] [--whole]
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { disposeTemplates, type ManyPlayed, playMany } from './many';
import { type Failure, type Kind, script } from './steps';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    kind: { type: 'string', multiple: true },
    most: { type: 'string', default: '20' },
    from: { type: 'string', default: '0' },
    whole: { type: 'boolean' },
    worker: { type: 'boolean' },
  },
});

type Message = { readonly failure: Failure } | { readonly played: Omit<ManyPlayed, 'failures'> };

async function work(): Promise<void> {
  const [from, count] = [Number(values.from), Number(values.sequences)];
  const { failures, ...played } = await playMany({
    seed: Number(values.seed),
    from,
    to: from + count,
    kinds: values.kind as Kind[] | undefined,
    shrinks: values.whole !== true,
    mostFailures: Number(values.most),
    failed: (failure) => process.send?.({ failure } satisfies Message),
  });
  process.send?.({ played } satisfies Message);
  disposeTemplates();
  process.exitCode = failures.length > 0 ? 1 : 0;
}

async function main(): Promise<void> {
  const [jobs, count] = [Number(values.jobs), Number(values.sequences)];
  const share = Math.ceil(count / jobs);
  const failures: Failure[] = [];
  const start = Date.now();
  let [sequences, actions, exact] = [0, 0, 0];
  await Promise.all(
    Array.from({ length: jobs }, (_, job) => {
      const args = [
        ...process.argv.slice(2),
        '--worker',
        '--from',
        String(Number(values.from) + job * share),
        '--sequences',
        String(Math.min(share, count - job * share)),
      ];
      const child = fork(__filename, args, { execArgv: process.execArgv });
      child.on('message', (message: Message) => {
        if ('failure' in message) {
          failures.push(message.failure);
          console.log(`\n${message.failure.rule}: ${message.failure.message}\n${script(message.failure.sequence)}`);
        } else {
          sequences += message.played.sequences;
          actions += message.played.actions;
          exact += message.played.exact;
        }
      });
      return new Promise<void>((resolve) => child.once('exit', () => resolve()));
    }),
  );
  const seconds = (Date.now() - start) / 1000;
  const rules = [...new Set(failures.map(({ rule }) => rule))].map(
    (rule) => `${rule} ${failures.filter((each) => each.rule === rule).length}`,
  );
  console.log(
    `\nseed ${values.seed}: ${sequences} sequences in ${seconds.toFixed(0)} s, ${((seconds * 1000) / sequences).toFixed(1)} ms each; ` +
      `${actions} undos and restores, ${exact} of them exact; failures: ${rules.join(', ') || 'none'}`,
  );
  process.exitCode = failures.length > 0 ? 1 : 0;
}

void (values.worker ? work() : main());
