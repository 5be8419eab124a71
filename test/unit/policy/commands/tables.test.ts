/** Lines of each shell and their outcomes. The tables are in `tables/`. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { outcomeOf, rulesOf, type ShellName } from './commandJudges';

interface Row {
  readonly outcome: string;
  readonly rules: string;
  readonly line: string;
}

interface Table {
  readonly rules: ReadonlyMap<string, readonly string[]>;
  readonly rows: readonly Row[];
}

function tableOf(shell: ShellName): Table {
  const lines = readFileSync(path.join(__dirname, 'tables', `${shell}.txt`), 'utf8')
    .split('\n')
    .filter(Boolean);
  const rules = new Map<string, readonly string[]>();
  for (const line of lines) {
    const [, name, texts = ''] = /^# (\w+): (.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      rules.set(
        name,
        texts.split('; ').flatMap((text) => rules.get(text) ?? [text]),
      );
    }
  }
  const rows = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [outcome = '', name = '', text = ''] = line.split('\t');
      return { outcome, rules: name, line: JSON.parse(text) as string };
    });
  return { rules, rows };
}

describe('tables of command lines', function () {
  this.timeout(60_000);

  for (const shell of ['bash', 'zsh', 'pwsh', 'cmd'] as const) {
    const { rules, rows } = tableOf(shell);

    it(`has the outcome of ${rows.length} lines of ${shell}`, async () => {
      assert.ok(rows.length >= 300);
      const sets = new Map([...rules].map(([name, texts]) => [name, rulesOf(...texts)]));
      const wrong: string[] = [];
      for (const row of rows) {
        const outcome = await outcomeOf(shell, row.line, sets.get(row.rules)!);
        if (outcome !== row.outcome) {
          wrong.push(`${outcome} instead of ${row.outcome}: ${JSON.stringify(row.line)}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

    it(`allows no line of ${shell} that no rule names`, async () => {
      const allowed: string[] = [];
      for (const { line } of rows) {
        for (const given of [rulesOf(), rulesOf('allow a-program *', 'allow another')]) {
          if ((await outcomeOf(shell, line, given)) === 'runs') {
            allowed.push(line);
          }
        }
      }
      assert.deepEqual(allowed, []);
    });
  }
});
