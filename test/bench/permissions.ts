/**
 * The cost of the user's rules: a decision among 500 rules, and the parsing of a command line of 10 KB. A turn with 100 automatic answers is compared
 * with the same turn whose questions are answered at once. The turn runs a command after each answer. The cost of an automatic answer alone has a
 * limit of its own, because the ratio depends on the agent's work.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bashReader } from '../../src/policy/commands/bashReader';
import { loadJudge } from '../../src/policy/commands/loadJudge';
import { loadParser } from '../../src/policy/commands/treeSitter';
import { Policy } from '../../src/policy/policy';
import type { CommandPart } from '../../src/policy/rule';
import { parseRules } from '../../src/policy/rules/parseRules';
import { UserRuleSource } from '../../src/policy/rules/userRuleSource';
import { buildAgent } from '../support/scenario/agents';
import { Stage } from '../support/scenario/stage';
import { StageRules } from '../support/scenario/stageRules';
import type { Step } from '../agent/scripted/steps';
import { median } from './median';
import type { BenchLine } from './run';

const ROUNDS = Number(process.env.ACP_HOST_BENCH_ROUNDS ?? 5);
const RULES = 500;
const DECISIONS = 200;
const ANSWERS = 100;
const PARSERS = path.resolve('node_modules/@vscode/tree-sitter-wasm/wasm');
/** Limits in ms, and of the ratio of the turns. */
const DECISION_LIMIT = 1;
const PARSING_LIMIT = 5;
const TURN_LIMIT = 1.1;
/** 1 KB of output. */
const OUTPUT = 'ok 1 - a test of this part passes in no time at all\n'.repeat(20);

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Long lines of agents, 10 KB each: a file by a here-document, the message of a commit, and a chain of commands. */
function longLines(): Readonly<Record<string, string>> {
  const fill = (part: string, joint: string): string =>
    Array.from({ length: Math.floor(10_000 / (part.length + joint.length)) }, () => part).join(joint);
  return {
    'here-document': `cat > notes.md <<'EOF'\n${fill('A line of a file with $PATH, `code` and "quotes".', '\n')}\nEOF`,
    message: `git commit -m "${fill('fix: a thing that is long, and more of it.', ' ')}"`,
    files: `git add ${fill('src/a-folder/another-folder/a-file-with-a-long-name.ts', ' ')}`,
    chain: fill('npm test -- --grep "some name" 2>&1 | head -20', ' && '),
  };
}

async function parsing(): Promise<readonly BenchLine[]> {
  const parser = await loadParser('bash', (name) => path.join(PARSERS, name));
  const reader = bashReader(parser);
  return Object.entries(longLines()).map(([name, line]) => {
    const times = Array.from({ length: 40 }, () => {
      const start = performance.now();
      parser.parse(line);
      return performance.now() - start;
    });
    reader.read(line);
    return limited(`permissions: parsing a ${name} of ${Math.round(line.length / 1000)} KB`, Math.min(...times), PARSING_LIMIT);
  });
}

function limited(name: string, value: number, limit: number): BenchLine {
  return { name, value, unit: 'ms', baseline: limit, ratio: value / limit, limit: 1 };
}

/** Decides about different commands and files, as requests of an agent do. */
async function deciding(cwd: string): Promise<BenchLine> {
  const written = Array.from({ length: RULES }, (_, at) =>
    at % 2 === 0
      ? { effect: at % 10 === 0 ? 'deny' : 'allow', command: `program-${at} run *` }
      : { effect: 'allow', tool: 'edit', path: `/src/folder-${at}` },
  );
  const { rules } = parseRules([...written, { effect: 'allow', command: 'npm test *' }]);
  const roots = { cwd, additionalDirectories: [] };
  const judge = await loadJudge(PARSERS, quiet);
  const now = { rules, suspendsAllows: false };
  const agent = { id: 'bench', name: 'Bench' };
  const source = new UserRuleSource({
    agentId: agent.id,
    agentName: agent.name,
    roots,
    rulesNow: () => now,
    words: ({ id }) => id,
    judge: () => Promise.resolve(judge),
  });
  const policy = new Policy({ agent, roots }, [source]);
  const times: number[] = [];
  for (let at = 0; at < DECISIONS; at++) {
    const command: CommandPart = {
      kind: 'command',
      tool: 'execute',
      command: `npm test -- --grep "name ${at}" 2>&1 | head -${at}`,
      shell: 'bash',
      cwd,
    };
    const start = performance.now();
    await policy.decide(command);
    times.push(performance.now() - start);
  }
  return limited(`permissions: deciding with ${RULES} rules`, median(times), DECISION_LIMIT);
}

/** Every command is another one, so that no decision profits from an earlier one. Each second one needs the parser. */
let commands = 0;

function nextCommand(): { readonly toolCallId: string; readonly command: string } {
  const at = commands++;
  const command = `npm test -- --grep ${at % 2 === 0 ? at : `"name ${at}" 2>&1 | head -20`}`;
  return { toolCallId: `call-${at}`, command };
}

/** Questions alone, without the work that they are about. */
function questions(): readonly Step[] {
  return Array.from({ length: ANSWERS }, () => {
    const { toolCallId, command } = nextCommand();
    return { permission: { toolCall: { toolCallId, title: command, kind: 'execute', rawInput: { command } } } };
  });
}

/** Commands as agents run them: announced, asked about, run, and reported with their output. The command itself takes no time. */
function work(): readonly Step[] {
  return Array.from({ length: ANSWERS }, (): readonly Step[] => {
    const { toolCallId, command } = nextCommand();
    const call = { toolCallId, title: `\`${command}\``, kind: 'execute', rawInput: { command, description: 'Run the tests' } } as const;
    return [
      { chunks: ['Now ', 'the tests ', 'of this part.'] },
      { tool: { ...call, status: 'pending' } },
      { permission: { toolCall: call } },
      { toolUpdate: { toolCallId, status: 'in_progress' } },
      { shell: 'true' },
      { toolUpdate: { toolCallId, status: 'completed', content: [{ type: 'content', content: { type: 'text', text: OUTPUT } }] } },
    ];
  }).flat();
}

async function turnOf(stage: Stage, steps: readonly Step[]): Promise<number> {
  await stage.ready();
  const start = performance.now();
  await stage.turn(...steps);
  return performance.now() - start;
}

/** Compares the turn of an agent whose questions a rule answers with the same turn of a user who answers each at once, which no user can. */
async function turns(cwd: string): Promise<readonly BenchLine[]> {
  await buildAgent();
  const rules = new StageRules([
    { effect: 'allow', command: 'npm test *' },
    { effect: 'allow', command: 'readsOnly' },
  ]);
  const plain = new Stage(cwd, {});
  const ruled = new Stage(cwd, { rules, answer: () => undefined });
  const times = { plain: [] as number[], ruled: [] as number[] };
  const bare = { plain: [] as number[], ruled: [] as number[] };
  try {
    // The first turn loads the parsers.
    await turnOf(plain, work());
    await turnOf(ruled, work());
    for (let round = 0; round < ROUNDS; round++) {
      times.plain.push(await turnOf(plain, work()));
      times.ruled.push(await turnOf(ruled, work()));
      bare.plain.push(await turnOf(plain, questions()));
      bare.ruled.push(await turnOf(ruled, questions()));
    }
  } finally {
    await plain.close();
    await ruled.close();
  }
  // The shortest of each: the commands are processes of their own, whose start depends on the load of the machine.
  const [value, baseline] = [Math.min(...times.ruled), Math.min(...times.plain)];
  const turn = { value, unit: 'ms', baseline, ratio: value / baseline, limit: TURN_LIMIT };
  const more = (Math.min(...bare.ruled) - Math.min(...bare.plain)) / ANSWERS;
  return [
    { name: `permissions: a turn with ${ANSWERS} automatic answers`, ...turn },
    limited('permissions: an automatic answer, beyond an immediate one of the user', more, DECISION_LIMIT),
  ];
}

export async function run(): Promise<readonly BenchLine[]> {
  const cwd = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'bench-permissions-')));
  try {
    return [await deciding(cwd), ...(await parsing()), ...(await turns(cwd))];
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
