/** The agent's behaviour without a script: the journey that every client must be able to make with any agent. */
import path from 'node:path';
import type { Step } from './steps';

const ADDED = 'edited by the scripted agent';

/** Streams text and uses permission, read, write and terminal. The file is the first path in the prompt, relative to `cwd` or absolute. */
export function journeyOf(prompt: string, cwd: string): Step[] {
  const named = /[\w./\\:~-]*\w\.[A-Za-z]\w*/.exec(prompt)?.[0];
  const steps: Step[] = [
    { info: { title: 'A scripted journey' } },
    { think: 'I follow a script.' },
    { chunks: ['This is the **scripted ', 'agent**. ', 'You said:\n\n', `> ${prompt.split('\n')[0] ?? ''}\n\n`] },
  ];
  if (named !== undefined) {
    const file = path.resolve(cwd, named);
    const comment = /\.(?:md|html?|xml)$/.test(file)
      ? `<!-- ${ADDED} -->\n`
      : /\.(?:py|rb|sh|ya?ml)$/.test(file)
        ? `# ${ADDED}\n`
        : `// ${ADDED}\n`;
    steps.push(
      { tool: { toolCallId: 'edit-1', title: `Edit ${named}`, kind: 'edit', status: 'pending', locations: [{ path: file, line: 1 }] } },
      { permission: { toolCall: { toolCallId: 'edit-1', title: `Edit ${named}` } } },
      { prepend: { path: file, text: comment, toolCallId: 'edit-1' } },
    );
  }
  steps.push(
    { tool: { toolCallId: 'run-1', title: 'Compute 6 × 7', kind: 'execute', status: 'pending' } },
    {
      terminal: {
        command: process.execPath,
        args: ['-e', 'console.log(`6 x 7 = ${6 * 7}`)'],
        env: [{ name: 'ELECTRON_RUN_AS_NODE', value: '1' }],
        toolCallId: 'run-1',
      },
    },
    { toolUpdate: { toolCallId: 'run-1', status: 'completed' } },
    { usage: { used: 1200, size: 8000 } },
    { say: '\nThe journey is done.' },
  );
  return steps;
}
