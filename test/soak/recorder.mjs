// Records an agent's messages: node recorder.mjs <file> <program> <arguments…>. Each line of the file is {at, to: 'agent' | 'client',
// message}.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [file, program, ...args] = process.argv.slice(2);
const agent = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });

/** Passes complete lines on, and records each before that. */
function pass(from, to, name) {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      appendFileSync(file, `{"at":${Date.now()},"to":"${name}","message":${line}}\n`);
      to.write(`${line}\n`);
    }
  });
  from.on('end', () => to.end());
  to.on('error', () => {});
}

pass(process.stdin, agent.stdin, 'agent');
pass(agent.stdout, process.stdout, 'client');
agent.on('exit', (code) => process.exit(code ?? 1));
