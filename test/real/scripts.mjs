// The model's answers on a journey. Actions are named by kind; each agent's own tools perform them.
import { join } from 'node:path';

/** The output of the command in {@link scriptsFor}'s `fix`. The command's own text does not contain it. */
export const commandOutput = 'six times seven is 42';

/** The scripts of a journey in this folder: name → steps. */
export function scriptsFor(folder) {
  const calc = join(folder, 'src', 'calc.js');
  const list = join(folder, 'src', 'list.txt');
  const edit = (line) => ({ kind: 'edit', args: { path: list, old: `line ${line} same`, new: `line ${line} by the agent` } });
  const plan = (...statuses) => ({
    kind: 'plan',
    args: { items: ['Read the code', 'Fix add', 'Run a command'].map((text, at) => [text, statuses[at]]) },
  });
  return {
    fix: [
      {
        thinking: 'A plan first, then the file, then the command.',
        text: 'Here is my plan.',
        tools: [plan('in_progress', 'pending', 'pending')],
      },
      { thinking: 'What is in the file?', text: 'I read the file.', tools: [{ kind: 'read', args: { path: calc } }] },
      { text: 'This is the fix.', tools: [{ kind: 'edit', args: { path: calc, old: 'return a - b;', new: 'return a + b;' } }] },
      { text: 'Now a command.', tools: [{ kind: 'shell', args: { command: `node -p "'six times seven is ' + 6 * 7" && ls` } }] },
      { text: 'All is done.', tools: [plan('completed', 'completed', 'completed')] },
      { text: farewell, pieces: 24, pieceMs: 150 },
    ],
    list: [
      { text: 'I read the list.', tools: [{ kind: 'read', args: { path: list } }] },
      { text: 'A first change.', tools: [edit('03')] },
      { text: 'A second one.', tools: [edit('30')] },
      {
        text: 'The rest by a command.',
        tools: [
          {
            kind: 'shell',
            args: { command: `sed -i 's/line 20 same/line 20 by sed/' '${list}' && printf 'made\\n' > '${folder}/made.txt'` },
          },
        ],
      },
      { text: 'The list is changed.' },
    ],
    slow: [{ text: Array.from({ length: 300 }, (_, at) => `slow${at}`).join(' '), pieces: 300, pieceMs: 100 }],
    count: [{ text: Array.from({ length: 60 }, (_, at) => `count${at}`).join(' '), pieces: 60, pieceMs: 100 }],
    heard: [{ text: 'I mind them, too.' }],
    hello: [{ text: 'Hello again, still **here**.' }],
    'refuse-write': [
      {
        text: 'I would like to write a file.',
        tools: [{ kind: 'write', args: { path: join(folder, 'unwanted.txt'), content: 'not wanted\n' } }],
      },
      { text: 'Very well, no file.' },
    ],
  };
}

const farewell = `The function \`add\` is **fixed**:

\`\`\`js
const sum = add(2, 3);
\`\`\`

- the file was read and changed
- the command printed its answer

That was all of it.`;

/** The scripts of an agent with subagents: `planning` proposes a plan, `team` starts two of them, `server` starts a command that goes on in the background. */
export function teamScripts(folder) {
  const names = ['reader', 'writer'];
  const task = (name) => `Please do your part. (script ${name})`;
  const server = 'echo listening; for i in $(seq 1 12); do sleep 1; echo request $i; done; sleep 600';
  const plan = '# The plan\n\n- Fix add\n- Test it';
  return {
    // One agent has a tool for its plan, which it has to look up first. The other agent finds it in the answer.
    planning: [
      { tools: [{ kind: 'ToolSearch', args: { query: 'select:ExitPlanMode', max_results: 3 } }] },
      { text: 'This is the plan.', tools: [{ kind: 'ExitPlanMode', args: { plan } }] },
      { text: `<proposed_plan>\n${plan}\n</proposed_plan>\n`, pieces: 20, pieceMs: 50 },
    ],
    team: [
      {
        text: 'I send two.',
        tools: [
          ...names.map((name) => ({
            kind: 'Agent',
            args: { description: `The ${name}`, prompt: task(name), subagent_type: 'general-purpose' },
          })),
          ...names.map((name) => ({ kind: 'spawn_agent', args: { task_name: name, message: task(name) } })),
        ],
      },
      // One agent has to wait for its subagents, the other is notified.
      ...Array.from({ length: 4 }, () => ({ text: 'I wait.', tools: [{ kind: 'wait_agent', args: { timeout_ms: 10_000 } }] })),
      { text: 'They are at work.' },
    ],
    reader: [
      { text: 'I read the file.', tools: [{ kind: 'read', args: { path: join(folder, 'src', 'calc.js') } }] },
      { text: Array.from({ length: 900 }, (_, at) => `word${at}`).join(' '), pieces: 900, pieceMs: 100 },
    ],
    writer: [
      { text: 'I write.', tools: [{ kind: 'write', args: { path: join(folder, 'notes.txt'), content: 'notes\n' } }] },
      { text: 'A command.', tools: [{ kind: 'shell', args: { command: 'for i in $(seq 1 12); do echo step $i; sleep 1; done' } }] },
      { text: 'The notes are there.' },
    ],
    server: [
      {
        text: 'I start the server.',
        tools: [
          { kind: 'Bash', args: { command: server, description: 'Server', run_in_background: true } },
          {
            kind: 'exec',
            args: { input: `text(await tools.exec_command(${JSON.stringify({ cmd: server, yield_time_ms: 1000 })}))` },
          },
        ],
      },
      { text: 'It runs.' },
    ],
  };
}
