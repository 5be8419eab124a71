import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { scriptedAgent } from '../harness/lib/bundle.mjs';
import { newSession, shows } from '../harness/lib/journey.mjs';
import { openWorkspace } from './stage.mjs';

const scripted = { command: process.execPath, args: [scriptedAgent], env: { FROM_SETTINGS: 'yes' } };

describe('an agent from the user’s settings, built on the official SDK', () => {
  it('streams, asks, reads and writes the open document and runs a command', async () => {
    const { window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': { Scripted: scripted } } });
    const file = join(folder, 'src', 'calc.js');
    const before = readFileSync(file, 'utf8');
    await window.openFile('src/calc.js');
    await window.typeInEditor('// typed and not saved\n');

    const conversation = await newSession(window, 'Scripted');
    await conversation.prompt('Please edit src/calc.js');
    await conversation.says('This is the scripted agent.');
    await conversation.permission('Edit src/calc.js').first().waitFor();
    assert.equal(readFileSync(file, 'utf8'), before, 'nothing may be written before the answer');
    await conversation.answer('Edit src/calc.js', 'Allow');
    await conversation.says('The journey is done.');
    await conversation.turnEnd();

    const seen = before.split('\n').length;
    await conversation.says(`edit: ${seen} lines read, one written`);
    assert.ok(await shows(conversation.toolCall('Edit src/calc.js'), /edited by the scripted agent/), 'the card shows the diff');
    await conversation.says('terminal: exit 0 "6 x 7 = 42\\n"');
    assert.ok(await shows(conversation.toolCall('Compute 6 × 7'), /^6 x 7 = 42$/m), 'the card shows the terminal output');
    const expected = `// edited by the scripted agent\n${before}// typed and not saved\n`;
    await until('the edit to be saved', () => readFileSync(file, 'utf8') === expected);
    await window.showTab('calc.js');
    assert.match(await window.editorText(), /^\/\/ edited by the scripted agent\n/);
    await window.page.getByRole('tab', { name: /A scripted journey/ }).waitFor({ timeout: 5000 });
  });

  it('writes nothing when the permission is refused, and runs nothing without its own request', async () => {
    const { window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': { Scripted: scripted } } });
    const file = join(folder, 'README.md');
    const before = readFileSync(file, 'utf8');
    const conversation = await newSession(window, 'Scripted');
    await conversation.prompt('Please edit README.md');
    await conversation.answer('Edit README.md', 'Reject');
    await conversation.says('You said no: nothing was written.');
    // The agent continues with a command without asking, in a turn in which nothing was allowed.
    await conversation.answer('Run a command', 'Reject');
    await conversation.turnEnd();
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('is started without a question when it is the default', async () => {
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Scripted: scripted }, 'acpHost.defaultAgent': 'Scripted' },
    });
    const conversation = await newSession(window);
    await conversation.prompt(
      '@script [{"say": "hello "}, {"terminal": {"command": "printenv", "args": ["FROM_SETTINGS"]}}, {"say": "bye"}]',
    );
    // The agent did not ask; we did.
    await conversation.answer('Run a command', 'Allow Once');
    await conversation.says('bye');
    await conversation.turnEnd();
    await conversation.says('hello terminal:');
  });
});
