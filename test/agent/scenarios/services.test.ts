/**
 * The client services that an agent uses: permission, files, terminals. The events of each scenario are in test/golden/scenarios/services/.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { scenarios } from './suite';

const CALC = 'export function add(a, b) {\n  return a - b;\n}\n';
const EDIT = { toolCallId: 'edit-1', title: 'Edit calc.js' };

scenarios('services', (scenario) => {
  scenario('permission-allow', {}, async (stage) => {
    await stage.turn({ tool: { ...EDIT, kind: 'edit' } }, { permission: { toolCall: EDIT } });
  });

  scenario('permission-reject', { answer: () => 'reject' }, async (stage) => {
    await stage.turn({ permission: { toolCall: { ...EDIT, kind: 'edit' } } });
  });

  scenario('permission-cancelled', { answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script(
      { tool: EDIT },
      { onCancel: [{ toolUpdate: { toolCallId: 'edit-1', status: 'failed' } }] },
      { permission: { toolCall: EDIT } },
    );
    await stage.seen('permission_requested');
    stage.cancel();
    await stage.turnEnd();
  });

  scenario('permission-unknown-kind', { answer: () => 'maybe' }, async (stage) => {
    const options = [{ optionId: 'maybe', name: 'Maybe later', kind: 'allow_sometimes' }] as unknown as [];
    await stage.turn({ permission: { toolCall: EDIT, options } });
  });

  scenario('read-unsaved', {}, async (stage) => {
    await stage.file('calc.js', CALC, '// mine\n');
    await stage.turn(
      { read: '${cwd}/calc.js' },
      { read: { path: '${cwd}/calc.js', line: 2, limit: 1 } },
      { read: '${cwd}/missing.js' },
      { read: '/etc/hostname' },
    );
  });

  scenario('read-added-file', {}, async (stage) => {
    await stage.file('../elsewhere/main.cs', 'class Main {}\n');
    await stage.file('../elsewhere/other.cs', 'class Other {}\n');
    stage.session.consents.agree(stage.buffers.disk.identityOf(path.join(stage.cwd, '../elsewhere/main.cs'))!);
    await stage.turn({ read: '${cwd}/../elsewhere/main.cs' }, { read: '${cwd}/../elsewhere/other.cs' });
  });

  scenario('write-merged', {}, async (stage) => {
    const document = await stage.file('calc.js', CALC, '// mine\n');
    await stage.ready();
    stage.script(
      { read: '${cwd}/calc.js' },
      { permission: { toolCall: EDIT } },
      { write: { path: '${cwd}/calc.js', content: CALC.replace('-', '+') + '// mine\n' } },
    );
    // The user types while the agent waits; both changes must be in the file.
    await stage.seen('permission_requested');
    document?.type(0, 0, '// typed meanwhile\n');
    await stage.turnEnd();
  });

  scenario('write-conflict', {}, async (stage) => {
    const document = await stage.file('calc.js', CALC, '');
    await stage.ready();
    stage.script(
      { read: '${cwd}/calc.js' },
      { permission: { toolCall: EDIT } },
      { write: { path: '${cwd}/calc.js', content: CALC.replace('a - b', 'a + b') } },
    );
    await stage.seen('permission_requested');
    document?.type(CALC.indexOf('-'), CALC.indexOf('-') + 1, '*');
    await stage.turnEnd();
  });

  scenario('write-new-file', {}, async (stage) => {
    await stage.turn({ write: { path: '${cwd}/made/new.txt', content: 'new\n' } }, { write: { path: '${cwd}/../out.txt', content: 'no' } });
  });

  scenario('root-changed', {}, async (stage) => {
    await stage.file('calc.js', CALC);
    await stage.turn({ read: '${cwd}/calc.js' });
    stage.note('> another folder takes the place of the session’s');
    await rename(stage.cwd, `${stage.cwd}-old`);
    await mkdir(stage.cwd);
    await stage.turn(
      { read: '${cwd}/calc.js' },
      { write: { path: '${cwd}/calc.js', content: '' } },
      { write: { path: '${cwd}/new.txt', content: 'new' } },
      { terminal: { command: process.execPath, args: ['-e', ''] } },
      { read: '/etc/hostname' },
    );
    await rm(stage.cwd, { recursive: true });
    await rename(`${stage.cwd}-old`, stage.cwd);
    stage.note('> the session’s own folder is back');
    await stage.turn({ read: '${cwd}/calc.js' });
  });

  scenario('terminal', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 'run-1', title: 'Compute', kind: 'execute' } },
      { terminal: { command: process.execPath, args: ['-e', 'console.log(`6 x 7 = ${6 * 7}`)'], toolCallId: 'run-1' } },
      { toolUpdate: { toolCallId: 'run-1', status: 'completed' } },
      { terminal: { command: process.execPath, args: ['-e', 'process.exit(3)'] } },
      { terminal: { command: 'no-such-command-anywhere', args: ['--now'] } },
    );
  });

  scenario('terminal-killed', {}, async (stage) => {
    await stage.turn({ terminal: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], killAfterMs: 100 } });
  });

  scenario('terminal-stopped', {}, async (stage) => {
    await stage.ready();
    stage.script({ terminal: { command: process.execPath, args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] } });
    await stage.seen('terminal_output');
    stage.stopTerminal('terminal-1');
    await stage.turnEnd();
  });

  scenario('terminal-left-at-end', {}, async (stage) => {
    await stage.ready();
    stage.script({ terminal: { command: process.execPath, args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] } });
    await stage.seen('terminal_output');
  });

  scenario('journey', {}, async (stage) => {
    await stage.file('calc.js', CALC, '// mine\n');
    await stage.ready();
    stage.prompt('Please look at calc.js');
    await stage.turnEnd();
  });
});
